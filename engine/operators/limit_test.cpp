#include "operators/limit.h"

#include "base/error.h"
#include "columns/test_columns.h"
#include "functions/error_codes.h"
#include "operators/test_breakers.h"

#include <gtest/gtest.h>

namespace accelerant::operators {
namespace {

using columns::Batch;
using Kind = Step::Kind;

const execution::Cancellation kNever;

execution::OperatorContext context() {
  static execution::Metrics metrics;
  return {columns::test::unlimited(), &kNever, &metrics, 3, 1024};
}

Batch batch_of(int64_t morsel, std::vector<std::optional<int64_t>> values, bool ends_morsel = true) {
  Batch batch;
  batch.morsel = morsel;
  batch.num_rows = static_cast<int64_t>(values.size());
  batch.columns = {columns::test::make_longs(values)};
  batch.ends_morsel = ends_morsel;
  return batch;
}

Kind consume(LimitSink& sink, Batch batch) {
  const auto state = sink.make_state();
  return sink.consume(*state, batch).kind;
}

std::string rows_of(LimitSink& sink) {
  std::string text;
  const auto source = test::handed_on(sink)->make_source(0, 1);
  const auto state = source->make_state();
  for (Batch batch; source->next(*state, batch).kind == Kind::HasOutput;) {
    for (const std::string& row : columns::test::show(*batch.columns[0])) text += row + " ";
  }
  return text;
}

TEST(LimitSink, TakesRowsInTheOrderOfMorsels) {
  LimitSink sink(4, 1, context(), test::spill_target(context()));
  EXPECT_EQ(consume(sink, batch_of(1, {4, 5, 6})), Kind::NeedsInput);
  EXPECT_EQ(consume(sink, batch_of(0, {1, 2}, false)), Kind::NeedsInput);
  EXPECT_EQ(consume(sink, batch_of(0, {3}, true)), Kind::Finished);
  EXPECT_EQ(rows_of(sink), "2 3 4 5 ");
}

TEST(LimitSink, KeepsAllBehindAnOffsetWithoutALimit) {
  LimitSink sink(-1, 2, context(), test::spill_target(context()));
  EXPECT_EQ(consume(sink, batch_of(0, {1, 2, 3})), Kind::NeedsInput);
  EXPECT_EQ(consume(sink, batch_of(1, {4})), Kind::NeedsInput);
  EXPECT_EQ(rows_of(sink), "3 4 ");
}

Batch with_error(Batch batch, int32_t row) {
  auto selection = std::make_shared<std::vector<int32_t>>();
  for (int32_t i = 0; i < batch.num_rows; ++i) {
    if (i != row) selection->push_back(i);
  }
  batch.selection = selection;
  batch.errors.push_back({row, functions::kDivideByZero, 3, 7, nullptr});
  return batch;
}

TEST(LimitSink, RaisesAnErrorOnlyBeforeTheLastRow) {
  LimitSink satisfied(2, 0, context(), test::spill_target(context()));
  EXPECT_EQ(consume(satisfied, with_error(batch_of(0, {1, 2, 3, 4}), 2)), Kind::Finished);
  EXPECT_EQ(rows_of(satisfied), "1 2 ");

  LimitSink failing(3, 0, context(), test::spill_target(context()));
  try {
    consume(failing, with_error(batch_of(0, {1, 2, 3, 4}), 2));
    FAIL() << "the third row is in error";
  } catch (const Error& error) {
    EXPECT_EQ(error.error_class(), "DIVIDE_BY_ZERO");
    EXPECT_EQ(error.plan_node(), 3);
    EXPECT_EQ(error.expression(), 7);
  }
}

/// Where nothing was selected, a row in error is among the rows.
TEST(LimitSink, RaisesAnErrorOfABatchWithoutSelection) {
  const auto failing_at = [](int32_t row) {
    Batch batch = batch_of(0, {1, 2, 3, 4});
    batch.errors.push_back({row, functions::kDivideByZero, 3, 7, nullptr});
    return batch;
  };
  LimitSink failing(2, 0, context(), test::spill_target(context()));
  EXPECT_THROW(consume(failing, failing_at(1)), Error);
  LimitSink satisfied(2, 0, context(), test::spill_target(context()));
  EXPECT_EQ(consume(satisfied, failing_at(2)), Kind::Finished);
  EXPECT_EQ(rows_of(satisfied), "1 2 ");
}

TEST(LimitSink, RaisesAnErrorAmongSkippedRows) {
  LimitSink sink(1, 3, context(), test::spill_target(context()));
  EXPECT_THROW(consume(sink, with_error(batch_of(0, {1, 2, 3, 4, 5}), 1)), Error);
}

TEST(LimitSink, ThrowsForAnErrorUntilNobodyComes) {
  LimitSink sink(2, 0, context(), test::spill_target(context()));
  EXPECT_EQ(consume(sink, batch_of(1, {7})), Kind::NeedsInput);
  for (int64_t morsel = 0; morsel < 3; morsel += 2) {
    Batch batch = batch_of(morsel, {1, 2});
    if (morsel == 0) batch.errors.push_back({0, functions::kDivideByZero, 3, 7, nullptr});
    EXPECT_THROW(consume(sink, std::move(batch)), Error) << morsel;
  }
}

}  // namespace
}  // namespace accelerant::operators
