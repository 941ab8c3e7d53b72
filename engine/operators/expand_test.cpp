#include "operators/expand.h"

#include "columns/test_columns.h"
#include "operators/test_steps.h"

#include <gtest/gtest.h>

namespace accelerant::operators {
namespace {

using columns::Batch;
using columns::test::make_longs;
using columns::test::show;
using columns::test::unlimited;
using expressions::ProgramBuilder;
using expressions::Slot;
using types::DataType;
using types::TypeId;

const DataType kLong(TypeId::Long);

/// Two projections of one column: (a, 1) and (null, 2).
std::shared_ptr<const plan::Expand> node(bool in_row_order = false) {
  auto node = std::make_shared<plan::Expand>();
  node->in_row_order = in_row_order;
  for (const bool first : {true, false}) {
    ProgramBuilder builder;
    const Slot value = first ? builder.input(0, kLong, true) : builder.literal(make_longs({std::nullopt}));
    const Slot outputs[] = {value, builder.literal(make_longs({first ? 1 : 2}))};
    node->projections.push_back(std::move(builder).finish(outputs));
  }
  return node;
}

TEST(Expand, GivesEveryRowOnceAProjection) {
  const Expand expand(node(), {unlimited(), nullptr, nullptr, 3, 1024});
  const auto state = expand.make_state();
  for (int64_t sequence = 0; sequence < 2; ++sequence) {
    Batch in;
    in.num_rows = 2;
    in.columns = {make_longs({7, 8})};
    in.morsel = 5;
    in.sequence = sequence;
    in.ends_morsel = sequence == 1;
    std::optional<Batch> out;
    ASSERT_EQ(test::insist([&] { return expand.process(*state, in, out); }).kind, Step::Kind::HasOutput);
    EXPECT_EQ(show(*out->columns[0]), (std::vector<std::string>{"7", "8"}));
    EXPECT_EQ(show(*out->columns[1]), (std::vector<std::string>{"1", "1"}));
    EXPECT_EQ(out->morsel, 5);
    EXPECT_EQ(out->sequence, 2 * sequence);
    EXPECT_FALSE(out->ends_morsel);
    ASSERT_EQ(test::insist([&] { return expand.process(*state, in, out); }).kind, Step::Kind::NeedsInput);
    EXPECT_EQ(show(*out->columns[0]), (std::vector<std::string>{"null", "null"}));
    EXPECT_EQ(show(*out->columns[1]), (std::vector<std::string>{"2", "2"}));
    EXPECT_EQ(out->sequence, 2 * sequence + 1);
    EXPECT_EQ(out->ends_morsel, sequence == 1);
  }
}

TEST(Expand, KeepsTheProjectionsOfARowTogether) {
  const Expand expand(node(true), {unlimited(), nullptr, nullptr, 3, 1024});
  const auto state = expand.make_state();
  Batch in;
  in.num_rows = 3;
  in.columns = {make_longs({7, 8, 9})};
  in.selection = std::make_shared<std::vector<int32_t>>(std::vector<int32_t>{0, 2});
  in.morsel = 5;
  in.ends_morsel = true;
  std::optional<Batch> out;
  ASSERT_EQ(test::insist([&] { return expand.process(*state, in, out); }).kind, Step::Kind::NeedsInput);
  EXPECT_EQ(show(*out->columns[0]), (std::vector<std::string>{"7", "null", "9", "null"}));
  EXPECT_EQ(show(*out->columns[1]), (std::vector<std::string>{"1", "2", "1", "2"}));
  EXPECT_EQ(out->num_selected(), 4);
  EXPECT_EQ(out->morsel, 5);
  EXPECT_TRUE(out->ends_morsel);
}

TEST(Expand, EndsABatchAtItsFirstError) {
  const Expand expand(node(true), {unlimited(), nullptr, nullptr, 3, 1024});
  const auto state = expand.make_state();
  Batch in;
  in.num_rows = 3;
  in.columns = {make_longs({7, 8, 9})};
  in.selection = std::make_shared<std::vector<int32_t>>(std::vector<int32_t>{0, 2});
  in.errors = {{1, 1, 0, 0, nullptr}};
  std::optional<Batch> out;
  ASSERT_EQ(test::insist([&] { return expand.process(*state, in, out); }).kind, Step::Kind::NeedsInput);
  EXPECT_EQ(show(*out->columns[1]), (std::vector<std::string>{"1", "2"}));
  ASSERT_EQ(out->errors.size(), 1u);
  EXPECT_EQ(out->errors[0].row, 2);
}

TEST(Expand, PassesTheEndOfAMorselOnInAnEmptyBatch) {
  const Expand expand(node(), {unlimited(), nullptr, nullptr, 3, 1024});
  const auto state = expand.make_state();
  Batch in;
  in.columns = {make_longs({})};
  in.ends_morsel = true;
  std::optional<Batch> out;
  ASSERT_EQ(test::insist([&] { return expand.process(*state, in, out); }).kind, Step::Kind::HasOutput);
  EXPECT_FALSE(out->ends_morsel);
  ASSERT_EQ(test::insist([&] { return expand.process(*state, in, out); }).kind, Step::Kind::NeedsInput);
  EXPECT_TRUE(out->ends_morsel);
}

}  // namespace
}  // namespace accelerant::operators
