#include "columns/gather.h"
#include "columns/test_columns.h"
#include "expressions/evaluator.h"
#include "expressions/example_values.h"
#include "expressions/program.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace accelerant::expressions {
namespace {

namespace test = columns::test;
using columns::Batch;
using columns::Column;
using columns::ColumnPtr;
using types::DataType;
using types::TypeId;

const std::string kPackage = "org.apache.spark.sql.catalyst.expressions.";

std::vector<std::string> project(ProgramBuilder builder, Slot output, std::vector<ColumnPtr> columns) {
  Batch batch;
  batch.num_rows = columns.front()->length();
  batch.columns = std::move(columns);
  const Slot outputs[] = {output};
  Evaluator evaluator(std::move(builder).finish(outputs), test::unlimited(), 0);
  const Batch out = evaluator.project(batch);
  EXPECT_TRUE(out.errors.empty());
  return test::show(*out.columns.front());
}

/// Returns a lambda of one argument, which gives another value that is read around it, or else its argument.
BoundLambda other_or_argument(Slot captured) {
  ProgramBuilder body;
  const Slot argument = body.input(0, DataType(TypeId::Long), true);
  const Slot other = body.input(1, DataType(TypeId::Long), true);
  const Slot outputs[] = {body.coalesce({other, argument}, DataType(TypeId::Long))};
  return {std::move(body).finish(outputs), 1, {captured}};
}

TEST(ColumnCall, ALambdaSeesNullsOfWhatItReadsAroundIt) {
  const DataType longs = DataType::array(DataType(TypeId::Long), true);
  ProgramBuilder builder;
  const Slot array = builder.literal(parse_example("[1,2] array<bigint>"));
  const Slot other = builder.input(0, DataType(TypeId::Long), true);
  const Slot result = builder.call_with_lambdas(kPackage + "ArrayTransform", {array}, {other_or_argument(other)}, longs,
                                                EvalMode::Ansi, 0);
  const ColumnPtr others = test::make_dictionary(test::make_longs({7, 8}), {0, std::nullopt, 1, 0, 1, 0});
  const std::vector<std::string> expected = {"[7,7]", "[1,2]", "[8,8]", "[7,7]", "[8,8]", "[7,7]"};
  EXPECT_EQ(project(std::move(builder), result, {others}), expected);
}

TEST(ColumnCall, FindsNestedValuesAmongConstants) {
  const DataType longs = DataType::array(DataType(TypeId::Long), true);
  const ColumnPtr lists = test::make_array(test::make_longs({1, std::nullopt, 2, 3}), {1, 2, -1, 1, 0});
  const auto found_in = [&](const ColumnPtr& constants) {
    ProgramBuilder builder;
    const Slot value = builder.input(0, longs, true);
    const Slot result = builder.in_list(value, constants);
    return project(std::move(builder), result, {lists->with_type(longs)});
  };
  const ColumnPtr some = test::make_array(test::make_longs({std::nullopt, 2, 1}), {2, 1})->with_type(longs);
  EXPECT_EQ(found_in(some), (std::vector<std::string>{"true", "true", "null", "false", "false"}));
  const ColumnPtr with_null = test::make_array(test::make_longs({3}), {1, -1})->with_type(longs);
  EXPECT_EQ(found_in(with_null), (std::vector<std::string>{"null", "null", "null", "true", "null"}));
}

TEST(ColumnCall, ComparesSlicesOfStructsOfLists) {
  const DataType type = parse_example("(1,[a]) struct<x:int,y:array<string>>")->type();
  const auto rows = [](std::initializer_list<const char*> texts) {
    std::vector<ColumnPtr> parts;
    for (const char* text : texts) {
      parts.push_back(parse_example(std::string(text) + " struct<x:int,y:array<string>>"));
    }
    return columns::concatenate(parts, test::unlimited());
  };
  const ColumnPtr lefts = rows({"(9,[])", "(1,[a])", "(1,[a,null])", "(null,[])", "null"})->slice(1, 4);
  const ColumnPtr rights = rows({"(0,[])", "(0,[])", "(1,[a,b])", "(1,[a])", "(0,[])", "null"})->slice(2, 4);
  const auto compared = [&](const std::string& name) {
    ProgramBuilder builder;
    const Slot left = builder.input(0, type, true);
    const Slot right = builder.input(1, type, true);
    const Slot result = builder.call(kPackage + name, {left, right}, DataType(TypeId::Boolean), EvalMode::Ansi, 0);
    return project(std::move(builder), result, {lefts->with_type(type), rights->with_type(type)});
  };
  EXPECT_EQ(compared("LessThan"), (std::vector<std::string>{"true", "false", "true", "null"}));
  EXPECT_EQ(compared("GreaterThanOrEqual"), (std::vector<std::string>{"false", "true", "false", "null"}));
  EXPECT_EQ(compared("EqualNullSafe"), (std::vector<std::string>{"false", "false", "false", "true"}));
}

/// Returns a lambda that casts integers to bytes.
BoundLambda cast_to_bytes(EvalMode mode) {
  ProgramBuilder body;
  const Slot argument = body.input(0, DataType(TypeId::Int), true);
  const Slot outputs[] = {body.call(kPackage + "Cast", {argument}, DataType(TypeId::Byte), mode, 0)};
  return {std::move(body).finish(outputs), 1, {}};
}

/// Returns what casts of the children of a value's rows give, a text each, "failed" of a row in error.
std::vector<std::string> cast_children(const char* function, const char* from, const char* to,
                                       std::initializer_list<const char*> rows, EvalMode mode) {
  std::vector<ColumnPtr> parts;
  for (const char* row : rows) parts.push_back(parse_example(std::string(row) + " " + from));
  const DataType result = parse_type(to);
  ProgramBuilder builder;
  const Slot value = builder.input(0, parse_type(from), true);
  std::vector<BoundLambda> lambdas;
  for (size_t i = 0; i < result.fields().size(); ++i) lambdas.push_back(cast_to_bytes(mode));
  const Slot outputs[] = {builder.call_with_lambdas(function, {value}, std::move(lambdas), result, mode, 5)};
  Batch batch;
  batch.num_rows = static_cast<int64_t>(parts.size());
  batch.columns = {columns::concatenate(parts, test::unlimited())};
  const Batch out = Evaluator(std::move(builder).finish(outputs), test::unlimited(), 0).project(batch);
  std::vector<std::string> texts = test::show(*out.columns.front());
  for (const columns::RowError& error : out.errors) {
    EXPECT_EQ(error.expression, 5);
    texts[static_cast<size_t>(error.row)] = "failed";
  }
  return texts;
}

TEST(ColumnCall, AnEntryThatFailsFailsItsRow) {
  const auto cast = [](EvalMode mode) {
    return cast_children("io.accelerant.ConvertedElements", "map<int,int>", "map<tinyint,tinyint>",
                         {"{1:2,300:4}", "{5:null}", "{7:400,8:500}", "null", "{300:300}", "{}"}, mode);
  };
  EXPECT_EQ(cast(EvalMode::Ansi), (std::vector<std::string>{"failed", "{5:null}", "failed", "null", "failed", "{}"}));
  EXPECT_EQ(cast(EvalMode::Legacy),
            (std::vector<std::string>{"{1:2,44:4}", "{5:null}", "{7:-112,8:-12}", "null", "{44:44}", "{}"}));
}

TEST(ColumnCall, AMemberThatFailsFailsItsRow) {
  const auto cast = [](EvalMode mode) {
    return cast_children("io.accelerant.ConvertedMembers", "struct<a:int,b:int>", "struct<c:tinyint,d:tinyint>",
                         {"(1,300)", "(300,300)", "null", "(null,2)"}, mode);
  };
  EXPECT_EQ(cast(EvalMode::Ansi), (std::vector<std::string>{"failed", "failed", "null", "(null,2)"}));
  EXPECT_EQ(cast(EvalMode::Try), (std::vector<std::string>{"(1,null)", "(null,null)", "null", "(null,2)"}));
}

TEST(ColumnCall, AKeyThatIsThereTwiceFailsItsRowInAnsiModeAlone) {
  const ColumnPtr keys = test::make_array(test::make_longs({1, 1, 2, 3}), {2, 2});
  const ColumnPtr values = test::make_array(test::make_longs({10, 20, 30, 40}), {2, 2});
  const auto maps_of = [&](EvalMode mode) {
    ProgramBuilder builder;
    const Slot left = builder.input(0, keys->type(), true);
    const Slot right = builder.input(1, values->type(), true);
    const DataType longs(TypeId::Long);
    const Slot outputs[] = {
        builder.call(kPackage + "MapFromArrays", {left, right}, DataType::map(longs, longs, true), mode, 4)};
    Batch batch;
    batch.num_rows = 2;
    batch.columns = {keys, values};
    return Evaluator(std::move(builder).finish(outputs), test::unlimited(), 0).project(batch);
  };
  const Batch strict = maps_of(EvalMode::Ansi);
  ASSERT_EQ(strict.errors.size(), 1U);
  EXPECT_EQ(strict.errors[0].row, 0);
  EXPECT_EQ(test::show(*strict.columns.front(), 1), "{2:30,3:40}");
  const Batch other = maps_of(EvalMode::Legacy);
  EXPECT_TRUE(other.errors.empty());
  EXPECT_EQ(test::show(*other.columns.front()), (std::vector<std::string>{"{1:10,1:20}", "{2:30,3:40}"}));
}

TEST(ColumnCall, LengthsOfRowsThatDoNotCountMakeNothing) {
  const DataType longs = DataType::array(DataType(TypeId::Long), true);
  ProgramBuilder builder;
  const Slot value = builder.input(0, DataType(TypeId::Long), true);
  const Slot count = builder.input(1, DataType(TypeId::Int), true);
  const Slot few = builder.input(2, DataType(TypeId::Boolean), true);
  const Slot repeated = builder.call(kPackage + "ArrayRepeat", {value, count}, longs, EvalMode::Ansi, 0);
  const Slot result = builder.case_when({{few, repeated}}, std::nullopt, longs);
  const ColumnPtr counts =
      test::make_flat<int32_t>(DataType(TypeId::Int), {2, 2'000'000'000, 1'900'000'000}, types::PhysicalType::Int32);
  const ColumnPtr are_few =
      test::make_flat<uint8_t>(DataType(TypeId::Boolean), {1, 0, std::nullopt}, types::PhysicalType::Bool);
  EXPECT_EQ(project(std::move(builder), result, {test::make_longs({5, 6, 7}), counts, are_few}),
            (std::vector<std::string>{"[5,5]", "null", "null"}));
}

TEST(ColumnCall, ReadsElementsInADictionary) {
  const DataType texts = DataType::array(DataType(TypeId::String), true);
  const ColumnPtr words = test::make_dictionary(test::make_strings({"a", "b"}), {1, 0, 1, std::nullopt, 1, 0});
  const ColumnPtr arrays = test::make_array(words, {3, 3})->with_type(texts);
  for (const auto& [function, expected] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"ArrayDistinct", {"[b,a]", "[null,b,a]"}},
           {"ArraySort", {"[a,b,b]", "[a,b,null]"}},
           {"Reverse", {"[b,a,b]", "[a,b,null]"}},
       }) {
    ProgramBuilder builder;
    const Slot array = builder.input(0, texts, true);
    const Slot result = builder.call(kPackage + function, {array}, texts, EvalMode::Ansi, 0);
    EXPECT_EQ(project(std::move(builder), result, {arrays}), expected) << function;
  }
}

TEST(ColumnCall, KeepsMembersInADictionary) {
  const DataType text(TypeId::String);
  const DataType pair = DataType::structure({{"a", text, true}});
  columns::FlatParts parts{pair, pair.physical(), 4, 0, nullptr, nullptr, {}, {}};
  const auto validity = memory::Buffer::allocate_zeroed(1, test::unlimited());
  *validity->mutable_data() = 0b1101;
  parts.validity = validity;
  parts.children = {test::make_dictionary(test::make_strings({"x", "y"}), {1, 0, std::nullopt, 0})};
  Batch batch;
  batch.num_rows = 4;
  batch.columns = {Column::flat(std::move(parts))};
  ProgramBuilder builder;
  const Slot structs = builder.input(0, pair, true);
  const Slot member = builder.literal(parse_example("0 int"));
  const Slot outputs[] = {builder.call(kPackage + "GetStructField", {structs, member}, text, EvalMode::Ansi, 0)};
  Evaluator evaluator(std::move(builder).finish(outputs), test::unlimited(), 0);
  const ColumnPtr members = evaluator.project(batch).columns.front();
  EXPECT_TRUE(members->is_dictionary());
  EXPECT_EQ(test::show(*members), (std::vector<std::string>{"y", "null", "null", "x"}));
}

TEST(ColumnCall, TakesStructsOutOfConstants) {
  const DataType pair = DataType::structure({{"a", DataType(TypeId::Int), true}});
  ProgramBuilder builder;
  const Slot array = builder.literal(parse_example("[(1),(2),(3)] array<struct<a:int>>"));
  const Slot index = builder.literal(parse_example("2 int"));
  const Slot result = builder.call(kPackage + "ElementAt", {array, index}, pair, EvalMode::Ansi, 0);
  EXPECT_EQ(project(std::move(builder), result, {test::make_longs({7, 8})}), (std::vector<std::string>{"(2)", "(2)"}));
}

TEST(ColumnCall, TellsANullStructFromOneOfANull) {
  const DataType structs = DataType::array(DataType::structure({{"a", DataType(TypeId::Int), true}}), true);
  ProgramBuilder builder;
  const Slot array = builder.literal(parse_example("[null,(1),(null)] array<struct<a:int>>"));
  const Slot result = builder.call(kPackage + "Reverse", {array}, structs, EvalMode::Ansi, 0);
  EXPECT_EQ(project(std::move(builder), result, {test::make_longs({7})}),
            (std::vector<std::string>{"[(null),(1),null]"}));
}

TEST(ColumnCall, CopiesNoStructsThatItChooses) {
  const DataType pair =
      DataType::structure({{"a", DataType(TypeId::Int), true}, {"b", DataType(TypeId::String), true}});
  const ColumnPtr arrays =
      parse_column("array<struct<a:int,b:string>>", {"[(1,x),(2,y)]", "[]", "null", "[null,(4,null),(5,z)]"});
  const ColumnPtr indices = test::make_flat<int32_t>(DataType(TypeId::Int), {2, 1, 1, 3}, types::PhysicalType::Int32);
  for (const auto& [number, type, expected] : std::vector<std::tuple<int, TypeId, std::vector<std::string>>>{
           {0, TypeId::Int, {"2", "null", "null", "5"}},
           {1, TypeId::String, {"y", "null", "null", "z"}},
       }) {
    ProgramBuilder builder;
    const Slot array = builder.input(0, arrays->type(), true);
    const Slot index = builder.input(1, DataType(TypeId::Int), true);
    const Slot chosen = builder.call(kPackage + "ElementAt", {array, index}, pair, EvalMode::Legacy, 0);
    const Slot member = builder.literal(parse_example((std::to_string(number) + " int").c_str()));
    const Slot result =
        builder.call(kPackage + "GetStructField", {chosen, member}, DataType(type), EvalMode::Legacy, 0);
    EXPECT_EQ(project(std::move(builder), result, {arrays, indices}), expected);
  }
}

/// Adds numbers up and fails where the sum does not fit.
BoundLambda sum_of_two() {
  ProgramBuilder body;
  const Slot sum = body.input(0, DataType(TypeId::Long), true);
  const Slot element = body.input(1, DataType(TypeId::Long), true);
  const Slot outputs[] = {body.call(kPackage + "Add", {sum, element}, DataType(TypeId::Long), EvalMode::Ansi, 0)};
  return {std::move(body).finish(outputs), 2, {}};
}

BoundLambda same() {
  ProgramBuilder body;
  const Slot outputs[] = {body.input(0, DataType(TypeId::Long), true)};
  return {std::move(body).finish(outputs), 1, {}};
}

TEST(ColumnCall, FoldsListsOfAllLengths) {
  const DataType longs = DataType::array(DataType(TypeId::Long), true);
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  ProgramBuilder builder;
  const Slot array = builder.input(0, longs, true);
  const Slot start = builder.input(1, DataType(TypeId::Long), true);
  const Slot outputs[] = {builder.call_with_lambdas(kPackage + "ArrayAggregate", {array, start}, {sum_of_two(), same()},
                                                    DataType(TypeId::Long), EvalMode::Ansi, 0)};
  Batch batch;
  batch.num_rows = 7;
  batch.columns = {
      test::make_array(test::make_longs({1, 2, 3, kMost, 4, 5, 6, 7, std::nullopt}), {1, 0, 2, -1, 4, 1, 1}),
      test::make_longs({10, 20, 30, 40, 1, 60, 70})};
  Evaluator evaluator(std::move(builder).finish(outputs), test::unlimited(), 0);
  const Batch out = evaluator.project(batch);
  ASSERT_EQ(out.errors.size(), 1u);
  EXPECT_EQ(out.errors[0].row, 4);
  const std::vector<std::string> expected = {"11", "20", "35", "null", "", "67", "null"};
  for (size_t row = 0; row < expected.size(); ++row) {
    if (row == 4) continue;
    EXPECT_EQ(test::show(*out.columns.front(), static_cast<int64_t>(row)), expected[row]) << row;
  }
}

TEST(ColumnCall, ALambdaSeesTheElementsOfEachRow) {
  const DataType longs = DataType::array(DataType(TypeId::Long), true);
  const ColumnPtr lists = test::make_array(test::make_longs({1, 2, 3, 4, 5, 6}), {2, 1, 0, 3});
  const ColumnPtr others = test::make_longs({std::nullopt, std::nullopt, std::nullopt, std::nullopt});
  for (const auto& [arrays, expected] : std::vector<std::pair<ColumnPtr, std::vector<std::string>>>{
           {lists, {"[1,2]", "[3]", "[]", "[4,5,6]"}},
           {lists->slice(1, 3), {"[3]", "[]", "[4,5,6]"}},
           {test::make_dictionary(lists, {3, 0, std::nullopt}), {"[4,5,6]", "[1,2]", "null"}},
       }) {
    ProgramBuilder builder;
    const Slot array = builder.input(0, longs, true);
    const Slot other = builder.input(1, DataType(TypeId::Long), true);
    const Slot result = builder.call_with_lambdas(kPackage + "ArrayTransform", {array}, {other_or_argument(other)},
                                                  longs, EvalMode::Ansi, 0);
    EXPECT_EQ(project(std::move(builder), result, {arrays, others->slice(0, arrays->length())}), expected);
  }
}

TEST(ColumnCall, ChoosesAmongNestedValues) {
  const DataType lenient = DataType::array(DataType(TypeId::Long), true);
  const DataType strict = DataType::array(DataType(TypeId::Long), false);
  ProgramBuilder builder;
  const Slot condition = builder.input(0, DataType(TypeId::Boolean), true);
  const Slot yes = builder.input(1, strict, true);
  const Slot no = builder.literal(parse_example("[null] array<bigint>"));
  const Slot result = builder.case_when({{condition, yes}}, no, lenient);
  EXPECT_EQ(builder.type(result), lenient);
  const ColumnPtr conditions = test::make_flat<uint8_t>(DataType(TypeId::Boolean), {1, 0}, types::PhysicalType::Bool);
  const ColumnPtr arrays = test::make_array(test::make_longs({1, 2, 3}), {2, 1})->with_type(strict);
  EXPECT_EQ(project(std::move(builder), result, {conditions, arrays}), (std::vector<std::string>{"[1,2]", "[null]"}));
}

}  // namespace
}  // namespace accelerant::expressions
