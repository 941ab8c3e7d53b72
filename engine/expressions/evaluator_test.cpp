#include "expressions/evaluator.h"

#include "base/error.h"
#include "columns/gather.h"
#include "expressions/example_values.h"
#include "expressions/program.h"
#include "functions/error_codes.h"

#include <gtest/gtest.h>

namespace accelerant::expressions {
namespace {

using columns::Batch;
using columns::Column;
using columns::ColumnPtr;
using types::DataType;
using types::TypeId;

constexpr const char* kInt = "int";
using Texts = std::vector<std::string>;

const std::shared_ptr<memory::Budget>& budget() { return memory::process_budget(); }

/// A batch and a program over it, built line by line.
class EvaluatorTest : public testing::Test {
 protected:
  Slot column(const char* type, const Texts& texts, bool nullable = true) {
    return add(parse_column(type, texts), nullable);
  }
  Slot add(ColumnPtr column, bool nullable = true) {
    batch_.num_rows = column->length();
    batch_.columns.push_back(column);
    return builder_.input(static_cast<int>(batch_.columns.size()) - 1, column->type(), nullable);
  }
  Slot literal(const char* example) { return builder_.literal(parse_example(example)); }
  Slot call(const char* name, std::vector<Slot> arguments, const char* result, EvalMode mode = EvalMode::Ansi) {
    return builder_.call(std::string("org.apache.spark.sql.catalyst.expressions.") + name, std::move(arguments),
                         parse_type(result), mode, ++expression_);
  }
  Slot add_ints(Slot a, Slot b, EvalMode mode = EvalMode::Ansi) { return call("Add", {a, b}, kInt, mode); }
  void select(std::vector<int32_t> rows) {
    batch_.selection = std::make_shared<const std::vector<int32_t>>(std::move(rows));
  }

  Evaluator evaluator(std::vector<Slot> outputs) {
    program_ = std::move(builder_).finish(outputs);
    return Evaluator(program_, budget(), 5);
  }
  Batch project(std::vector<Slot> outputs) { return evaluator(std::move(outputs)).project(batch_); }
  Batch filter(std::vector<Slot> outputs) { return evaluator(std::move(outputs)).filter(batch_); }

  static Texts rows_of(const Batch& batch, size_t output = 0) {
    Texts rows;
    for (int64_t i = 0; i < batch.num_selected(); ++i) {
      const int64_t row = batch.selection ? (*batch.selection)[static_cast<size_t>(i)] : i;
      rows.push_back(format_row(*batch.columns[output], row));
    }
    return rows;
  }
  static std::vector<int32_t> failed_rows(const Batch& batch) {
    std::vector<int32_t> rows;
    for (const auto& error : batch.errors) rows.push_back(error.row);
    return rows;
  }
  static std::vector<int32_t> selected(const Batch& batch) {
    if (batch.selection) return *batch.selection;
    std::vector<int32_t> rows;
    for (int32_t row = 0; row < batch.num_rows; ++row) rows.push_back(row);
    return rows;
  }

  ProgramBuilder builder_;
  Batch batch_;
  std::shared_ptr<const Program> program_;
  int expression_ = 0;
};

using Rows = std::vector<int32_t>;

TEST_F(EvaluatorTest, FailedRowsLeaveTheSelection) {
  const Slot a = column(kInt, {"1", "2147483647", "3", "2147483647"});
  const Slot b = column(kInt, {"1", "1", "null", "null"});
  const Batch out = project({add_ints(a, b)});
  EXPECT_EQ(rows_of(out), (Texts{"2", "null", "null"}));
  ASSERT_EQ(failed_rows(out), (Rows{1}));
  EXPECT_EQ(out.errors[0].code, functions::kOverflow);
  EXPECT_EQ(out.errors[0].plan_node, 5);
  EXPECT_EQ(out.errors[0].expression, 1);
  EXPECT_EQ(format_row(*(*out.errors[0].input)[0], 0), "2147483647");
  EXPECT_TRUE(program_->can_fail());
}

/// A type that has room for any result makes no errors.
TEST_F(EvaluatorTest, DecimalsFailOnlyWhereTheirTypeIsTooSmall) {
  const auto can_fail = [&](const char* name, const char* left, const char* right, const char* result) {
    project({call(name, {column(left, {}), column(right, {})}, result)});
    return program_->can_fail();
  };
  EXPECT_FALSE(can_fail("Multiply", "decimal(19,6)", "decimal(1,1)", "decimal(21,7)"));
  EXPECT_FALSE(can_fail("Add", "decimal(12,2)", "decimal(13,4)", "decimal(15,4)"));
  EXPECT_FALSE(can_fail("Subtract", "decimal(30,2)", "decimal(20,2)", "decimal(31,2)"));
  EXPECT_TRUE(can_fail("Multiply", "decimal(38,0)", "decimal(38,0)", "decimal(38,0)"));
  EXPECT_TRUE(can_fail("Add", "decimal(38,2)", "decimal(38,2)", "decimal(38,2)"));
  EXPECT_TRUE(can_fail("Divide", "decimal(5,2)", "decimal(5,2)", "decimal(13,8)"));
}

TEST_F(EvaluatorTest, NullOnTheLeftHidesWhatIsOnTheRight) {
  const Slot null = column(kInt, {"null", "1", "1"});
  const Slot big = column(kInt, {"2147483647", "2147483647", "1"});
  const Slot failing = add_ints(big, literal("1 int"));
  EXPECT_EQ(failed_rows(project({add_ints(null, failing)})), (Rows{1}));
}

TEST_F(EvaluatorTest, NullOnTheRightDoesNotHideWhatIsOnTheLeft) {
  const Slot null = column(kInt, {"null", "1", "1"});
  const Slot big = column(kInt, {"2147483647", "2147483647", "1"});
  const Slot failing = add_ints(big, literal("1 int"));
  EXPECT_EQ(failed_rows(project({add_ints(failing, null)})), (Rows{0, 1}));
}

TEST_F(EvaluatorTest, DivisionLooksAtTheDivisorFirst) {
  const Slot divisor = column("bigint", {"null", "0", "2"});
  const Slot big = column("bigint", {"9223372036854775807", "9223372036854775807", "9223372036854775807"});
  const Slot failing = call("Add", {big, literal("1 bigint")}, "bigint");
  const Slot in_ansi = call("IntegralDivide", {failing, divisor}, "bigint");
  EXPECT_EQ(failed_rows(project({in_ansi})), (Rows{1, 2}));
}

TEST_F(EvaluatorTest, DivisionByZeroInTryModeHidesTheDividendsError) {
  const Slot divisor = column("bigint", {"null", "0", "2"});
  const Slot big = column("bigint", {"9223372036854775807", "9223372036854775807", "9223372036854775807"});
  const Slot failing = call("Add", {big, literal("1 bigint")}, "bigint");
  const Batch out = project({call("IntegralDivide", {failing, divisor}, "bigint", EvalMode::Try)});
  EXPECT_EQ(failed_rows(out), (Rows{2}));
  EXPECT_EQ(rows_of(out), (Texts{"null", "null"}));
}

TEST_F(EvaluatorTest, TryNullsItsOwnErrorOnly) {
  const Slot big = column(kInt, {"2147483647", "1"});
  const Batch own = project({add_ints(big, literal("1 int"), EvalMode::Try)});
  EXPECT_TRUE(own.errors.empty());
  EXPECT_EQ(rows_of(own), (Texts{"null", "2"}));
}

TEST_F(EvaluatorTest, TryLetsAnArgumentsErrorThrough) {
  const Slot big = column(kInt, {"2147483647", "1"});
  EXPECT_EQ(failed_rows(project({add_ints(add_ints(big, literal("1 int")), literal("1 int"), EvalMode::Try)})),
            (Rows{0}));
}

TEST_F(EvaluatorTest, AndOrDropErrorsOfWhatIsDecided) {
  const Slot b = column("boolean", {"false", "true", "null"});
  const Slot big = column(kInt, {"2147483647", "2147483647", "2147483647"});
  const Slot failing = call("LessThan", {add_ints(big, literal("1 int")), literal("5 int")}, "boolean");
  const Slot both = builder_.conjunction({b, failing});
  const Slot either = builder_.disjunction({b, failing});
  const Batch out = project({both, either});
  EXPECT_EQ(failed_rows(out), (Rows{0, 1, 2}));
  EXPECT_EQ(out.errors[0].expression, 1);
  EXPECT_EQ(out.num_selected(), 0);
}

TEST_F(EvaluatorTest, AndIsFalseBesideAnError) {
  const Slot b = column("boolean", {"false", "true", "null"});
  const Slot big = column(kInt, {"2147483647", "2147483647", "2147483647"});
  const Slot failing = call("LessThan", {add_ints(big, literal("1 int")), literal("5 int")}, "boolean");
  const Batch out = project({builder_.conjunction({b, failing})});
  EXPECT_EQ(rows_of(out), (Texts{"false"}));
  EXPECT_EQ(failed_rows(out), (Rows{1, 2}));
}

TEST_F(EvaluatorTest, AndOrAreThreeValued) {
  const Slot a = column("boolean", {"true", "true", "true", "false", "false", "false", "null", "null", "null"});
  const Slot b = column("boolean", {"true", "false", "null", "true", "false", "null", "true", "false", "null"});
  const Batch out = project({builder_.conjunction({a, b}), builder_.disjunction({a, b})});
  EXPECT_EQ(rows_of(out, 0), (Texts{"true", "false", "null", "false", "false", "false", "null", "false", "null"}));
  EXPECT_EQ(rows_of(out, 1), (Texts{"true", "true", "true", "true", "false", "null", "true", "null", "null"}));
}

TEST_F(EvaluatorTest, CaseDropsErrorsOfBranchesNotTaken) {
  const Slot a = column(kInt, {"2147483647", "2147483647", "5"});
  const Slot b = column("boolean", {"true", "false", "null"});
  const Slot failing = add_ints(a, literal("1 int"));
  const Batch out = project({builder_.case_when({{b, failing}}, a, DataType(TypeId::Int))});
  EXPECT_EQ(failed_rows(out), (Rows{0}));
  EXPECT_EQ(rows_of(out), (Texts{"2147483647", "5"}));
}

TEST_F(EvaluatorTest, CaseStopsAtTheErrorOfACondition) {
  const Slot a = column(kInt, {"2147483647", "1", "2"});
  const Slot first = column("boolean", {"false", "true", "false"});
  const Slot failing = call("GreaterThan", {add_ints(a, literal("1 int")), literal("2 int")}, "boolean");
  const Slot out = builder_.case_when({{first, literal("10 int")}, {failing, literal("20 int")}}, std::nullopt,
                                      DataType(TypeId::Int));
  const Batch batch = project({out});
  EXPECT_EQ(failed_rows(batch), (Rows{0}));
  EXPECT_EQ(rows_of(batch), (Texts{"10", "20"}));
}

TEST_F(EvaluatorTest, CaseTakesStringsAndWideDecimals) {
  const Slot b = column("boolean", {"true", "false", "null"});
  const Slot text = column("string", {"a text of more than twelve", "b", "c"});
  const Slot other = column("string", {"x", "another text of more than twelve", "null"});
  const Slot wide = column("decimal(38,2)", {"123456789012345678901.25", "1.00", "2.00"});
  const Slot narrow = column("decimal(38,2)", {"1.25", "7.00", "8.00"});
  const Slot s = builder_.case_when({{b, text}}, other, DataType(TypeId::String));
  const Slot d = builder_.case_when({{b, wide}}, narrow, DataType::decimal(38, 2));
  const Batch out = project({s, d});
  EXPECT_EQ(rows_of(out, 0), (Texts{"a text of more than twelve", "another text of more than twelve", "null"}));
  EXPECT_EQ(rows_of(out, 1), (Texts{"123456789012345678901.25", "7.00", "8.00"}));
}

TEST_F(EvaluatorTest, CoalesceLooksNoFurtherThanItMust) {
  const Slot a = column(kInt, {"1", "null", "null"});
  const Slot big = column(kInt, {"2147483647", "2147483647", "null"});
  const Slot failing = add_ints(big, literal("1 int"));
  const Batch out = project({builder_.coalesce({a, failing, literal("9 int")}, DataType(TypeId::Int))});
  EXPECT_EQ(failed_rows(out), (Rows{1}));
  EXPECT_EQ(rows_of(out), (Texts{"1", "9"}));
}

TEST_F(EvaluatorTest, InIsThreeValued) {
  const Slot a = column(kInt, {"1", "2", "null"});
  const Slot plain = builder_.in_list(a, parse_column(kInt, {"1", "5"}));
  const Slot with_null = builder_.in_list(a, parse_column(kInt, {"1", "null"}));
  const Batch out = project({plain, with_null});
  EXPECT_EQ(rows_of(out, 0), (Texts{"true", "false", "null"}));
  EXPECT_EQ(rows_of(out, 1), (Texts{"true", "null", "null"}));
}

TEST_F(EvaluatorTest, InTakesEveryType) {
  const std::pair<const char*, Texts> types[] = {{"double", {"-0", "nan", "1"}},
                                                 {"float", {"-0", "nan", "1"}},
                                                 {"tinyint", {"1", "2", "3"}},
                                                 {"smallint", {"1", "-2", "3"}},
                                                 {"bigint", {"1", "2", "-3"}},
                                                 {"boolean", {"true", "false", "true"}},
                                                 {"date", {"1994-01-01", "1995-01-01", "0001-01-01"}},
                                                 {"string", {"", "a long string of many bytes", "short"}},
                                                 {"decimal(38,2)", {"1.25", "-99999999999999999999.00", "2.00"}}};
  std::vector<Slot> outputs;
  for (const auto& [type, texts] : types) {
    const Slot slot = column(type, texts);
    Texts list = texts;
    if (list[0] == "-0") list[0] = "0";
    for (int i = 0; i < 20 && std::string_view(type).ends_with("int"); ++i) list.push_back(std::to_string(50 + i));
    outputs.push_back(builder_.in_list(slot, parse_column(type, list)));
    outputs.push_back(builder_.in_list(slot, parse_column(type, {list[1]})));
  }
  const Batch out = project(outputs);
  for (size_t k = 0; k < outputs.size(); k += 2) {
    EXPECT_EQ(rows_of(out, k), (Texts{"true", "true", "true"})) << k;
    EXPECT_EQ(rows_of(out, k + 1), (Texts{"false", "true", "false"})) << k;
  }
}

TEST_F(EvaluatorTest, TenThousandConstants) {
  Texts list;
  for (int i = 0; i < 10000; ++i) list.push_back("constant number " + std::to_string(i * 3));
  Texts values;
  for (int i = 0; i < 1000; ++i) values.push_back("constant number " + std::to_string(i));
  const Slot in = builder_.in_list(column("string", values), parse_column("string", list));
  EXPECT_EQ(filter({in}).num_selected(), 334);
}

TEST_F(EvaluatorTest, FiveThousandTerms) {
  Texts values;
  for (int i = 0; i < 100; ++i) values.push_back(std::to_string(i * 100));
  const Slot a = column(kInt, values);
  std::vector<Slot> terms;
  for (int i = 0; i < 5000; ++i)
    terms.push_back(call("EqualTo", {a, literal((std::to_string(i) + " int").c_str())}, "boolean"));
  const Slot either = builder_.disjunction(terms);
  std::vector<Slot> unequal;
  for (const Slot term : terms) unequal.push_back(call("Not", {term}, "boolean"));
  const Slot none = builder_.conjunction(unequal);
  Evaluator run = evaluator({either, none});
  const int64_t before = budget()->used_bytes();
  const Batch out = run.project(batch_);
  EXPECT_LT(budget()->used_bytes() - before, 1 << 20);
  const Texts found = rows_of(out, 0);
  EXPECT_EQ(std::count(found.begin(), found.end(), "true"), 50);
  const Texts missing = rows_of(out, 1);
  EXPECT_EQ(std::count(missing.begin(), missing.end(), "true"), 50);
}

TEST_F(EvaluatorTest, EqualValuesAreComputedOnce) {
  const Slot a = column(kInt, {"1", "2147483647"});
  const Slot sum = add_ints(a, literal("1 int"));
  EXPECT_EQ(sum, add_ints(a, literal("1 int")));
  EXPECT_NE(sum, add_ints(a, literal("1 int"), EvalMode::Legacy));
  EXPECT_EQ(call("EqualTo", {a, a}, "boolean", EvalMode::Ansi), call("EqualTo", {a, a}, "boolean", EvalMode::Try));
  const Batch out = project({sum, add_ints(sum, sum)});
  EXPECT_EQ(failed_rows(out), (Rows{1}));
  EXPECT_EQ(rows_of(out, 1), (Texts{"4"}));
  EXPECT_EQ(program_->inputs(), (std::vector<int>{0}));
}

TEST_F(EvaluatorTest, LiteralsThatFailDoSoOnRows) {
  const Slot a = column(kInt, {"1", "2"});
  const Slot failing = add_ints(literal("2147483647 int"), literal("1 int"));
  EXPECT_FALSE(builder_.constant_of(failing));
  EXPECT_EQ(failed_rows(project({add_ints(a, failing)})), (Rows{0, 1}));
}

TEST_F(EvaluatorTest, LiteralsThatFailAreComputedOnAlone) {
  column(kInt, Texts(1000, "1"));
  const Slot failing = add_ints(literal("2147483647 int"), literal("1 int"));
  EXPECT_EQ(failed_rows(project({call("UnaryMinus", {add_ints(failing, failing)}, kInt)})).size(), 1000u);
}

TEST_F(EvaluatorTest, StringsOfRowsThatDoNotCountAreNotBuilt) {
  const Slot n = column(kInt, {"2", "2000000000", "1", "2000000000", "null"});
  const Slot small = call("LessThan", {n, literal("3 int")}, "boolean");
  const Slot text = call("StringRepeat", {literal("x string"), n}, "string");
  const Slot chosen = builder_.case_when({{small, text}}, literal("big string"), parse_type("string"));
  const auto tight = std::make_shared<memory::Budget>("tight", 1 << 20);
  Evaluator evaluator(std::move(builder_).finish({&chosen, 1}), tight, 5);
  EXPECT_EQ(rows_of(evaluator.project(batch_)), (Texts{"xx", "big", "x", "big", "big"}));
  select({0, 2, 4});
  EXPECT_EQ(rows_of(evaluator.project(batch_)), (Texts{"xx", "x", "big"}));
}

TEST_F(EvaluatorTest, FilterNarrowsConjunctByConjunct) {
  const Slot a = column(kInt, {"0", "1", "2", "3", "null", "2147483647"});
  const Slot positive = call("GreaterThan", {a, literal("1 int")}, "boolean");
  const Slot small = call("LessThan", {add_ints(a, literal("1 int")), literal("4 int")}, "boolean");
  const Batch out = filter({positive, small});
  EXPECT_EQ(selected(out), (Rows{2}));
  EXPECT_EQ(failed_rows(out), (Rows{5}));
  EXPECT_EQ(out.columns[0], batch_.columns[0]);
}

TEST_F(EvaluatorTest, FilterIgnoresErrorsOfRowsDroppedBefore) {
  const Slot a = column(kInt, {"0", "1", "2147483647", "3"});
  const Slot below = call("LessThan", {a, literal("3 int")}, "boolean");
  const Slot next = call("LessThan", {add_ints(a, literal("1 int")), literal("2 int")}, "boolean");
  const Batch out = filter({below, next});
  EXPECT_EQ(selected(out), (Rows{0}));
  EXPECT_TRUE(out.errors.empty());
}

TEST_F(EvaluatorTest, FilterAsksColumnsForValues) {
  const Slot a = column(kInt, {"0", "null", "2", "3", "null", "5"});
  const Slot b = column(kInt, {"0", "1", "null", "3", "null", "5"});
  const Slot c = column(kInt, {"0", "1", "2", "3", "4", "5"});
  const Slot has_a = call("IsNotNull", {a}, "boolean");
  const Slot has_c = call("IsNotNull", {c}, "boolean");
  const Slot has_b = call("IsNotNull", {b}, "boolean");
  const Slot has_sum = call("IsNotNull", {add_ints(a, b)}, "boolean");
  const Slot below = call("LessThan", {a, literal("5 int")}, "boolean");
  EXPECT_EQ(selected(filter({has_a, has_c, has_b, has_sum, below})), (Rows{0, 3}));
}

TEST_F(EvaluatorTest, FilterAsksForValuesOfWhatIsReadElsewhere) {
  const Slot a = column("boolean", {"true", "null", "false", "true"});
  const Slot has_value = call("IsNotNull", {a}, "boolean");
  select({1, 2, 3});
  EXPECT_EQ(selected(filter({has_value, call("Not", {has_value}, "boolean")})), Rows{});
}

TEST_F(EvaluatorTest, FilterAsksForValuesTwice) {
  const Slot a = column(kInt, {"1", "null", "3"});
  const Slot has_a = call("IsNotNull", {a}, "boolean");
  const Slot below = call("LessThan", {a, literal("3 int")}, "boolean");
  Evaluator run = evaluator({has_a, has_a, below, has_a});
  EXPECT_EQ(selected(run.filter(batch_)), (Rows{0}));
}

TEST_F(EvaluatorTest, FilterAsksDictionariesAndGatheredColumnsForValues) {
  auto codes = memory::Buffer::allocate_zeroed(4 * 40, budget());
  for (int i = 0; i < 40; ++i) codes->mutable_as<int32_t>()[i] = i % 3;
  const Slot a = add(Column::dictionary(parse_column(kInt, {"1", "null", "3"}), codes, 40));
  Texts values;
  for (int i = 0; i < 40; ++i) values.push_back(i % 2 == 0 ? "null" : std::to_string(i));
  const Slot b = column(kInt, values);
  const Slot large = call("GreaterThan", {b, literal("36 int")}, "boolean");
  const Slot has_b = call("IsNotNull", {b}, "boolean");
  const Slot has_a = call("IsNotNull", {a}, "boolean");
  EXPECT_EQ(selected(filter({large, has_b, has_a})), (Rows{39}));
}

TEST_F(EvaluatorTest, SparseSelectionsAreGathered) {
  Texts values;
  for (int i = 0; i < 100; ++i) values.push_back(i == 40 ? "2147483647" : std::to_string(i));
  const Slot a = column(kInt, values);
  select({10, 30, 40, 50});
  batch_.errors.push_back({35, functions::kOverflow, 1, 1, nullptr});
  const Batch out = project({add_ints(a, literal("1 int"))});
  EXPECT_EQ(out.num_rows, 4);
  EXPECT_EQ(rows_of(out), (Texts{"11", "31", "51"}));
  EXPECT_EQ(failed_rows(out), (Rows{2, 2}));
  EXPECT_EQ(out.errors[0].plan_node, 1);
  EXPECT_EQ(format_row(*(*out.errors[1].input)[0], 0), "2147483647");
}

TEST_F(EvaluatorTest, SparseFiltersKeepTheBatchsRows) {
  Texts values;
  for (int i = 0; i < 100; ++i) values.push_back(i == 40 ? "2147483647" : std::to_string(i));
  const Slot a = column(kInt, values);
  const Slot shared = add_ints(a, literal("1 int"));
  const Slot few = call("GreaterThan", {a, literal("88 int")}, "boolean");
  const Slot sum = call("GreaterThan", {shared, literal("95 int")}, "boolean");
  const Slot again = call("LessThan", {shared, literal("99 int")}, "boolean");
  const Batch out = filter({few, sum, again});
  EXPECT_EQ(selected(out), (Rows{95, 96, 97}));
  EXPECT_EQ(failed_rows(out), (Rows{40}));
}

TEST_F(EvaluatorTest, DictionariesStay) {
  auto codes = memory::Buffer::allocate_zeroed(4 * 40, budget());
  for (int i = 0; i < 40; ++i) codes->mutable_as<int32_t>()[i] = i % 3;
  const ColumnPtr values = parse_column(kInt, {"1", "2147483647", "null"});
  const Slot a = add(Column::dictionary(values, codes, 40)->slice(1, 39));
  const Slot sum = add_ints(a, literal("1 int"), EvalMode::Legacy);
  const Slot failing = add_ints(a, literal("1 int"));
  const Slot small = call("LessThan", {sum, literal("3 int")}, "boolean");
  Evaluator run = evaluator({sum, small, failing});
  for (int i = 0; i < 2; ++i) {
    const Batch out = run.project(batch_);
    EXPECT_TRUE(out.columns[0]->is_dictionary());
    EXPECT_EQ(format_row(*out.columns[0], 0), "-2147483648");
    EXPECT_EQ(format_row(*out.columns[0], 1), "null");
    EXPECT_EQ(format_row(*out.columns[0], 2), "2");
    EXPECT_EQ(format_row(*out.columns[1], 2), "true");
    EXPECT_EQ(failed_rows(out).size(), 13u);
    EXPECT_EQ(failed_rows(out)[1], 3);
  }
}

TEST_F(EvaluatorTest, ShortLengthsLeaveDictionariesAsTheyAre) {
  auto codes = memory::Buffer::allocate_zeroed(4 * 40, budget());
  for (int i = 0; i < 40; ++i) codes->mutable_as<int32_t>()[i] = i % 2;
  const Slot a = add(Column::dictionary(parse_column("string", {"a", "bc", "never"}), codes, 40));
  const Slot padded = builder_.call("org.apache.spark.sql.catalyst.util.CharVarcharCodegenUtils.readSidePadding",
                                    {a, literal("3 int")}, parse_type("string"), EvalMode::Ansi, ++expression_);
  const Slot much = call("StringRepeat", {a, literal("1000 int")}, "string");
  EXPECT_FALSE(builder_.can_fail(padded));
  Evaluator run = evaluator({padded, much});
  const Batch out = run.project(batch_);
  EXPECT_TRUE(out.columns[0]->is_dictionary());
  EXPECT_EQ(format_row(*out.columns[0], 0), "a  ");
  EXPECT_EQ(format_row(*out.columns[0], 1), "bc ");
  EXPECT_FALSE(out.columns[1]->is_dictionary());
}

TEST_F(EvaluatorTest, ColumnsNotReadMayBeMissing) {
  column(kInt, {"1", "2"});
  const Slot b = column(kInt, {"3", "4"});
  batch_.columns[0] = nullptr;
  const Batch out = project({add_ints(b, literal("1 int"))});
  EXPECT_EQ(rows_of(out), (Texts{"4", "5"}));
  EXPECT_EQ(program_->inputs(), (std::vector<int>{1}));
}

TEST_F(EvaluatorTest, DecimalsTravelAsWideAsTheyMust) {
  const Slot price = column("decimal(15,2)", {"901.00", "104949.50", "null"});
  const Slot discount = column("decimal(15,2)", {"0.06", "0.10", "0.01"});
  const Slot huge = column("decimal(15,2)", {"9999999999999.99", "9999999999999.99", "1.00"});
  const Slot left = call("Subtract", {literal("1 decimal(1,0)"), discount}, "decimal(16,2)");
  const Batch out =
      project({call("Multiply", {price, left}, "decimal(32,4)"), call("Multiply", {huge, huge}, "decimal(31,4)")});
  EXPECT_EQ(rows_of(out, 0), (Texts{"846.9400", "94454.5500", "null"}));
  EXPECT_EQ(out.columns[0]->physical(), types::PhysicalType::Int64);
  EXPECT_EQ(rows_of(out, 1), (Texts{"99999999999999800000000000.0001", "99999999999999800000000000.0001", "1.0000"}));
  EXPECT_EQ(out.columns[1]->physical(), types::PhysicalType::Int128);
}

TEST_F(EvaluatorTest, NullnessOfWhatIsNeverNullIsFolded) {
  const Slot a = column(kInt, {"1", "2"}, false);
  ASSERT_TRUE(builder_.constant_of(call("IsNotNull", {a}, "boolean")));
  const Slot b = column(kInt, {"1", "2"});
  const Batch out = project({call("IsNull", {b}, "boolean")});
  EXPECT_TRUE(out.columns[0]->is_constant());
  EXPECT_EQ(rows_of(out), (Texts{"false", "false"}));
}

TEST_F(EvaluatorTest, WidenedDecimalsAreTheSameValues) {
  const Slot a = column("decimal(15,2)", {"1.25"});
  const Slot wider = call("Cast", {a}, "decimal(20,2)");
  const Batch out = project({wider});
  EXPECT_EQ(out.columns[0]->type(), DataType::decimal(20, 2));
  EXPECT_EQ(rows_of(out), (Texts{"1.25"}));
}

TEST_F(EvaluatorTest, UnsupportedCallsNameFunctionAndTypes) {
  const Slot a = column("string", {"1"});
  try {
    call("Add", {a, a}, "string");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    EXPECT_EQ(error.message(), "Add(string, string) as string");
  }
  EXPECT_THROW(call("Levenshtein", {a, a}, "int"), Error);
}

TEST_F(EvaluatorTest, EmptyBatches) {
  const Slot a = column(kInt, {});
  const Slot sum = add_ints(a, literal("1 int"));
  const Slot condition = call("LessThan", {sum, literal("1 int")}, "boolean");
  Evaluator run = evaluator({condition});
  EXPECT_EQ(run.project(batch_).num_rows, 0);
  EXPECT_EQ(run.filter(batch_).num_selected(), 0);
}

TEST_F(EvaluatorTest, IncludesAnOutputOfAnotherProgram) {
  const Slot first = column(kInt, {"1", "2"});
  const Slot second = column(kInt, {"10", "20"});
  const auto other = evaluator({first, call("Subtract", {second, literal("1 int")}, kInt)});
  const auto program = program_;
  ProgramBuilder builder;
  const std::vector<std::optional<int>> columns = {std::nullopt, 0};
  EXPECT_FALSE(builder.include(*program, 0, columns));
  const std::optional<Slot> included = builder.include(*program, 1, columns);
  ASSERT_TRUE(included);
  Batch batch;
  batch.num_rows = 2;
  batch.columns = {parse_column(kInt, {"5", "null"})};
  EXPECT_EQ(rows_of(Evaluator(std::move(builder).finish({&*included, 1}), budget(), 5).project(batch)),
            (Texts{"4", "null"}));
  EXPECT_EQ(program->input_of(0), 0);
  EXPECT_EQ(program->input_of(1), std::nullopt);
}

}  // namespace
}  // namespace accelerant::expressions
