#include "operators/replicate.h"

#include "columns/test_columns.h"
#include "operators/test_steps.h"

#include <gtest/gtest.h>

namespace accelerant::operators {
namespace {

using columns::Batch;
using columns::test::make_longs;
using columns::test::show;
using columns::test::unlimited;
using types::DataType;
using types::TypeId;
using Texts = std::vector<std::string>;

/// Copies of (b) by a.
Replicate replicate(int64_t batch_rows) {
  auto node = std::make_shared<plan::Replicate>();
  expressions::ProgramBuilder builder;
  const DataType type(TypeId::Long);
  const expressions::Slot outputs[] = {builder.input(0, type, true), builder.input(1, type, true)};
  node->program = std::move(builder).finish(outputs);
  return {node, {unlimited(), nullptr, nullptr, 3, batch_rows}};
}

Batch rows(std::vector<std::optional<int64_t>> counts, std::vector<std::optional<int64_t>> values) {
  Batch batch;
  batch.num_rows = static_cast<int64_t>(counts.size());
  batch.columns = {make_longs(std::move(counts)), make_longs(std::move(values))};
  batch.morsel = 5;
  batch.ends_morsel = true;
  return batch;
}

TEST(Replicate, GivesRowsAsOftenAsTheySay) {
  const Replicate operation = replicate(1024);
  const auto state = operation.make_state();
  Batch in = rows({2, 0, std::nullopt, -3, 1}, {7, 8, 9, 10, std::nullopt});
  std::optional<Batch> out;
  ASSERT_EQ(test::insist([&] { return operation.process(*state, in, out); }).kind, Step::Kind::NeedsInput);
  EXPECT_EQ(show(*out->columns[0]), (Texts{"7", "7", "null"}));
  EXPECT_EQ(out->columns.size(), 1u);
  EXPECT_EQ(out->morsel, 5);
  EXPECT_TRUE(out->ends_morsel);
}

TEST(Replicate, CutsManyCopiesIntoBatches) {
  const Replicate operation = replicate(3);
  const auto state = operation.make_state();
  Batch in = rows({5, 2}, {7, 8});
  std::vector<Texts> batches;
  Step::Kind kind = Step::Kind::HasOutput;
  for (int64_t sequence = 0; kind == Step::Kind::HasOutput; ++sequence) {
    std::optional<Batch> out;
    kind = test::insist([&] { return operation.process(*state, in, out); }).kind;
    EXPECT_EQ(out->sequence, sequence);
    EXPECT_EQ(out->ends_morsel, kind == Step::Kind::NeedsInput);
    batches.push_back(show(*out->columns[0]));
  }
  EXPECT_EQ(batches, (std::vector<Texts>{{"7", "7", "7"}, {"7", "7", "8"}, {"8"}}));
}

TEST(Replicate, EndsABatchAtItsFirstError) {
  const Replicate operation = replicate(1024);
  const auto state = operation.make_state();
  Batch in = rows({2, 1, 4}, {7, 8, 9});
  in.selection = std::make_shared<std::vector<int32_t>>(std::vector<int32_t>{0, 2});
  in.errors = {{1, 1, 0, 0, nullptr}};
  std::optional<Batch> out;
  ASSERT_EQ(test::insist([&] { return operation.process(*state, in, out); }).kind, Step::Kind::NeedsInput);
  EXPECT_EQ(show(*out->columns[0]), (Texts{"7", "7"}));
  ASSERT_EQ(out->errors.size(), 1u);
  EXPECT_EQ(out->errors[0].row, 2);
}

}  // namespace
}  // namespace accelerant::operators
