#include "operators/sorted_rows.h"

#include "operators/test_breakers.h"
#include "operators/test_steps.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace accelerant::operators {
namespace {

using columns::Batch;
using columns::test::make_longs;
using test::batch_of;

const execution::Cancellation kNever;

/// Sorted runs of numbers, a morsel each, and the numbers of their rows.
class Runs {
 public:
  explicit Runs(const std::vector<std::vector<std::optional<int64_t>>>& runs)
      : ctx_{budget, &kNever, &metrics_, 3, 2}, order_(std::make_shared<KeyOrder>(std::vector{plan::SortKey{}})) {
    SortedRuns sorted;
    int64_t first_row = 0;
    for (const auto& numbers : runs) {
      const auto morsel = static_cast<int64_t>(sorted.size());
      const std::vector batches = {batch_of(morsel, make_longs(numbers), first_row)};
      sorted.push_back(std::make_unique<const SortedRun>(RunRows(batches, ctx_), order_, ctx_));
      first_row += static_cast<int64_t>(numbers.size());
    }
    rows = std::make_shared<SortedRows>(std::move(sorted), ctx_);
  }

  /// Returns the row numbers of a part.
  std::string part(int index, int count) const {
    const auto source = SortedStageRows(rows, ctx_).make_source(index, count);
    const auto state = source->make_state();
    std::string text;
    int64_t num_morsels = 0;
    Batch batch;
    while (test::insist([&] { return source->next(*state, batch); }).kind == Step::Kind::HasOutput) {
      EXPECT_EQ(batch.morsel, num_morsels);
      num_morsels += batch.ends_morsel;
      for (const std::string& row : columns::test::show(*batch.columns[1])) text += row + " ";
    }
    EXPECT_EQ(source->num_morsels(), num_morsels);
    return text;
  }

  const std::shared_ptr<memory::Budget> budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  std::shared_ptr<SortedRows> rows;

 private:
  execution::Metrics metrics_;
  execution::OperatorContext ctx_;
  std::shared_ptr<const KeyOrder> order_;
};

TEST(SortedRows, AreMergedWhileTheyAreRead) {
  const Runs runs({{3, 1, 5}, {2, 3, 9}, {0, 4}});
  EXPECT_EQ(runs.part(0, 1), "6 1 3 0 4 7 2 5 ");
}

TEST(SortedRows, AreCutWhereKeysChange) {
  const Runs runs({{1, 1, 2}, {1, 1, 2, 3}});
  EXPECT_EQ(runs.rows->part_begin(1, 3), 4) << "four rows are 1";
  EXPECT_EQ(runs.rows->part_begin(2, 3), 4);
  EXPECT_EQ(runs.part(0, 3), "0 1 3 4 ");
  EXPECT_EQ(runs.part(1, 3), "");
  EXPECT_EQ(runs.part(2, 3), "2 5 6 ");
}

TEST(SortedRows, GiveAllTiesToOnePart) {
  const Runs runs({{7, 7}, {7, 7}});
  EXPECT_EQ(runs.part(0, 2), "0 1 2 3 ");
  EXPECT_EQ(runs.part(1, 2), "");
  EXPECT_EQ(Runs({}).part(1, 2), "");
}

TEST(SortedRows, GiveMemoryBackWhereItIsShort) {
  const Runs runs({{3, 1, 5}, {2, 3, 9}, {0, 4}});
  const int64_t used = runs.budget->used_bytes();
  runs.rows->reclaim();
  EXPECT_LT(runs.budget->used_bytes(), used);
  EXPECT_EQ(runs.part(0, 1), "6 1 3 0 4 7 2 5 ");
  EXPECT_EQ(runs.part(0, 2) + runs.part(1, 2), "6 1 3 0 4 7 2 5 ");
}

}  // namespace
}  // namespace accelerant::operators
