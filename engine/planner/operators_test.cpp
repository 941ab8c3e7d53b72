#include "planner/operators.h"

#include "columns/test_columns.h"
#include "operators/test_steps.h"
#include "plan/range.h"
#include "planner/test_trees.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace accelerant::planner {
namespace {

using columns::test::make_longs;
using columns::test::show;

using Texts = std::vector<std::string>;

class MakeOutputTransformTest : public testing::Test {
 protected:
  std::unique_ptr<operators::Transform> made(const plan::NodePtr& source) const {
    return make_output_transform(source, ctx_);
  }
  /// Returns the columns that come of some.
  static std::vector<Texts> passed(const operators::Transform& transform, std::vector<columns::ColumnPtr> columns) {
    const auto state = transform.make_state();
    columns::Batch in;
    in.num_rows = columns.front()->length();
    in.columns = std::move(columns);
    std::optional<columns::Batch> out;
    operators::test::insist([&] { return transform.process(*state, in, out); });
    std::vector<Texts> shown;
    if (!out) return shown;
    for (const auto& column : out->columns) shown.push_back(show(*column));
    return shown;
  }

  const execution::Cancellation never_{};
  execution::Metrics metrics_;
  const execution::OperatorContext ctx_{columns::test::unlimited(), &never_, &metrics_, 0, 16};
};

TEST_F(MakeOutputTransformTest, MakesNoneWhereASourceGivesItsOutput) {
  EXPECT_EQ(made(test::file_scan()), nullptr);
  EXPECT_EQ(made(std::make_shared<plan::Range>()), nullptr);
}

TEST_F(MakeOutputTransformTest, DropsColumnsThatOnlyFiltersOfTheScanRead) {
  const auto scan = test::file_scan();
  auto spec = std::make_shared<io::ScanSpec>(*scan->spec);
  spec->columns[1].filter_only = true;
  scan->output.erase(scan->output.begin() + 1);
  scan->spec = std::move(spec);
  const auto transform = made(scan);
  ASSERT_NE(transform, nullptr);
  EXPECT_EQ(passed(*transform, {make_longs({1, 2}), nullptr, make_longs({5, 6})}),
            (std::vector<Texts>{{"1", "2"}, {"5", "6"}}));
}

TEST_F(MakeOutputTransformTest, ComputesTheResultOfAnAggregate) {
  const auto aggregate = test::grouped(test::source(), {0, 1});
  aggregate->result = test::columns({1, 0, 1});
  const auto transform = made(aggregate);
  ASSERT_NE(transform, nullptr);
  EXPECT_EQ(passed(*transform, {make_longs({1, 2}), make_longs({3, 4})}),
            (std::vector<Texts>{{"3", "4"}, {"1", "2"}, {"3", "4"}}));
}

}  // namespace
}  // namespace accelerant::planner
