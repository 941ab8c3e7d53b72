#include "operators/sort.h"

#include "base/error.h"
#include "columns/test_columns.h"

#include <gtest/gtest.h>

namespace accelerant::operators {
namespace {

using columns::Batch;
using columns::test::make_longs;

/// One row: sorting it compares nothing.
std::unique_ptr<SortSink> sink_of_one_row(const execution::Cancellation& cancellation) {
  static execution::Metrics metrics;
  auto node = std::make_shared<plan::Sort>();
  node->keys = {{0, true, true}};
  const execution::OperatorContext ctx{columns::test::unlimited(), &cancellation, &metrics, 3, 8};
  auto sink = std::make_unique<SortSink>(node, ctx);
  const auto state = sink->make_state();
  Batch batch;
  batch.num_rows = 1;
  batch.columns = {make_longs({7})};
  sink->consume(*state, batch);
  sink->combine(*state);
  return sink;
}

TEST(SortSink, GivesItsRows) {
  const execution::Cancellation never;
  const auto sink = sink_of_one_row(never);
  sink->finish();
  const auto source = sink->make_source(0, 1);
  Batch out;
  EXPECT_EQ(source->next(*source->make_state(), out).kind, Step::Kind::HasOutput);
  EXPECT_EQ(columns::test::show(*out.columns[0]), std::vector<std::string>{"7"});
}

TEST(SortSink, StopsWithoutComparingWhereTheQueryIsCancelled) {
  execution::Cancellation cancellation;
  const auto sink = sink_of_one_row(cancellation);
  cancellation.cancel();
  EXPECT_THROW(sink->finish(), Error);
}

}  // namespace
}  // namespace accelerant::operators
