#include "operators/unnest.h"

#include "columns/test_columns.h"
#include "expressions/example_values.h"
#include "operators/test_steps.h"

#include <gtest/gtest.h>

namespace accelerant::operators {
namespace {

using columns::Batch;
using columns::ColumnPtr;
using columns::test::make_dictionary;
using columns::test::make_longs;
using columns::test::show;
using columns::test::unlimited;
using expressions::parse_column;
using Texts = std::vector<std::string>;

/// Elements of column a beside column b.
class UnnestTest : public testing::Test {
 protected:
  std::shared_ptr<plan::Unnest> node_ = std::make_shared<plan::Unnest>();

  /// Returns the columns of all that comes out, batch by batch, of rows (collection, b).
  std::vector<std::vector<Texts>> run(const ColumnPtr& collection, int64_t batch_rows = 1024) {
    expressions::ProgramBuilder builder;
    const expressions::Slot outputs[] = {builder.input(0, collection->type(), true),
                                         builder.input(1, types::DataType(types::TypeId::Long), true)};
    node_->program = std::move(builder).finish(outputs);
    const Unnest operation(node_, {unlimited(), nullptr, nullptr, 3, batch_rows});
    const auto state = operation.make_state();
    std::vector<std::vector<Texts>> batches;
    Step::Kind kind = Step::Kind::HasOutput;
    while (kind == Step::Kind::HasOutput) {
      std::optional<Batch> out;
      kind = test::insist([&] { return operation.process(*state, in_, out); }).kind;
      batches.emplace_back();
      for (const ColumnPtr& column : out->columns) batches.back().push_back(show(*column));
      errors_ = out->errors;
      EXPECT_EQ(out->ends_morsel, kind == Step::Kind::NeedsInput);
    }
    return batches;
  }

  std::vector<std::vector<Texts>> run_rows(const ColumnPtr& collection, int64_t batch_rows = 1024) {
    std::vector<std::optional<int64_t>> numbers;
    for (int64_t row = 0; row < collection->length(); ++row) numbers.emplace_back(row);
    in_.num_rows = collection->length();
    in_.columns = {collection, make_longs(numbers)};
    in_.ends_morsel = true;
    return run(collection, batch_rows);
  }

  Batch in_;
  std::vector<columns::RowError> errors_;
};

TEST_F(UnnestTest, GivesARowForEachElement) {
  const auto out = run_rows(parse_column("array<int>", {"[7,null]", "[]", "null", "[8]"}));
  EXPECT_EQ(out, (std::vector<std::vector<Texts>>{{{"0", "0", "3"}, {"7", "null", "8"}}}));
}

TEST_F(UnnestTest, KeepsRowsWithoutElementsIfItShall) {
  node_->keeps_empty = node_->has_positions = true;
  const auto out = run_rows(parse_column("array<int>", {"[7,null]", "[]", "null"}));
  EXPECT_EQ(out, (std::vector<std::vector<Texts>>{
                     {{"0", "0", "1", "2"}, {"0", "1", "null", "null"}, {"7", "null", "null", "null"}}}));
}

TEST_F(UnnestTest, TakesMapsApart) {
  const auto out = run_rows(parse_column("map<string,int>", {"{a:1,b:null}", "{}"}));
  EXPECT_EQ(out, (std::vector<std::vector<Texts>>{{{"0", "0"}, {"a", "b"}, {"1", "null"}}}));
}

TEST_F(UnnestTest, TakesStructsApart) {
  node_->of_members = true;
  const auto out = run_rows(parse_column("array<struct<x:int,y:string>>", {"[(1,a),null]", "[(null,b)]"}));
  EXPECT_EQ(out, (std::vector<std::vector<Texts>>{{{"0", "0", "1"}, {"1", "null", "null"}, {"a", "null", "b"}}}));
}

TEST_F(UnnestTest, HandsOnWhatLiesTogetherAsItIs) {
  node_->of_members = true;
  const auto lists = parse_column("array<struct<x:int,y:string>>", {"[(1,a),(2,b)]", "[]", "[(3,null),(4,d),(5,e)]"});
  EXPECT_EQ(run_rows(lists, 3), (std::vector<std::vector<Texts>>{{{"0", "0", "2"}, {"1", "2", "3"}, {"a", "b", "null"}},
                                                                 {{"2", "2"}, {"4", "5"}, {"d", "e"}}}));
  EXPECT_EQ(run_rows(lists->slice(1, 2)),
            (std::vector<std::vector<Texts>>{{{"1", "1", "1"}, {"3", "4", "5"}, {"null", "d", "e"}}}));
  const auto members = lists->children().front()->children().front();
  node_->of_members = false;
  EXPECT_EQ(run_rows(columns::test::make_array(members, {2, -1, 3})),
            (std::vector<std::vector<Texts>>{{{"0", "0", "2", "2", "2"}, {"1", "2", "3", "4", "5"}}}));
}

TEST_F(UnnestTest, CutsManyElementsIntoBatches) {
  const auto out = run_rows(parse_column("array<int>", {"[1,2,3,4]", "[5]"}), 3);
  EXPECT_EQ(out, (std::vector<std::vector<Texts>>{{{"0", "0", "0"}, {"1", "2", "3"}}, {{"0", "1"}, {"4", "5"}}}));
}

TEST_F(UnnestTest, ReadsAnyEncoding) {
  const ColumnPtr lists = parse_column("array<int>", {"[1,2]", "[3]", "null"});
  EXPECT_EQ(run_rows(make_dictionary(lists, {1, 0, std::nullopt, 1})),
            (std::vector<std::vector<Texts>>{{{"0", "1", "1", "3"}, {"3", "1", "2", "3"}}}));
  EXPECT_EQ(run_rows(lists->slice(1, 2)), (std::vector<std::vector<Texts>>{{{"0"}, {"3"}}}));
  EXPECT_EQ(run_rows(columns::Column::constant(parse_column("array<int>", {"[1,2]"}), 2)),
            (std::vector<std::vector<Texts>>{{{"0", "0", "1", "1"}, {"1", "2", "1", "2"}}}));
}

TEST_F(UnnestTest, EndsABatchAtItsFirstError) {
  const ColumnPtr lists = parse_column("array<int>", {"[1,2]", "[3]", "[4]"});
  in_.num_rows = 3;
  in_.columns = {lists, make_longs({0, 1, 2})};
  in_.selection = std::make_shared<std::vector<int32_t>>(std::vector<int32_t>{0, 2});
  in_.errors = {{1, 1, 0, 0, nullptr}};
  in_.ends_morsel = true;
  EXPECT_EQ(run(lists), (std::vector<std::vector<Texts>>{{{"0", "0"}, {"1", "2"}}}));
  ASSERT_EQ(errors_.size(), 1u);
  EXPECT_EQ(errors_[0].row, 2);
}

}  // namespace
}  // namespace accelerant::operators
