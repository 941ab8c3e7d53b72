// Runs the examples of every aggregate function: by two accumulators that are merged, directly and by way of their
// states' columns, alone and among other groups, in the three modes.
#include "aggregates/registry.h"
#include "base/error.h"
#include "columns/gather.h"
#include "columns/test_columns.h"
#include "expressions/example_values.h"

#include <gtest/gtest.h>

namespace accelerant::aggregates {
namespace {

using columns::ColumnPtr;
using expressions::EvalMode;
using functions::AggregateExample;

const std::shared_ptr<memory::Budget>& budget() { return memory::process_budget(); }
execution::OperatorContext context() { return {budget(), nullptr, nullptr, 5, 1024}; }

std::string trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  return first == text.npos ? "" : std::string(text.substr(first, text.find_last_not_of(' ') + 1 - first));
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  for (size_t end = text.find(at); end != text.npos; end = text.find(at)) {
    parts.push_back(trimmed(text.substr(0, end)));
    text.remove_prefix(end + 1);
  }
  parts.push_back(trimmed(text));
  return parts;
}

/// The rows of an example as columns.
std::vector<ColumnPtr> arguments_of(const AggregateExample& example) {
  std::vector<std::vector<ColumnPtr>> values;
  for (const std::string& row : split(example.rows, '|')) {
    const std::vector<std::string> cells = split(row, ';');
    values.resize(cells.size());
    for (size_t i = 0; i < cells.size(); ++i) values[i].push_back(expressions::parse_example(cells[i]));
  }
  std::vector<ColumnPtr> arguments;
  for (const auto& parts : values) arguments.push_back(columns::concatenate(parts, budget()));
  return arguments;
}

/// A result as its example writes it: of a list "[1, 2] array<int>".
struct Expected {
  types::DataType type;
  std::string text;
};

Expected expected_of(const AggregateExample& example, EvalMode mode) {
  const std::string result = example.result;
  const bool is_null = example.error != 0 && mode != EvalMode::Legacy;
  if (!result.starts_with('[')) {
    const ColumnPtr value = expressions::parse_example(result);
    return {value->type(), is_null ? "null" : expressions::format_row(*value, 0)};
  }
  const size_t end = result.find(']');
  constexpr std::string_view kBefore = "] array<";
  const std::string element = result.substr(end + kBefore.size(), result.size() - end - kBefore.size() - 1);
  return {types::DataType::array(expressions::parse_type(element), true), result.substr(0, end + 1)};
}

std::string shown(const columns::Column& column, int64_t row) {
  if (!column.type().is(types::TypeId::Array)) return expressions::format_row(column, row);
  const auto* offsets = column.values<int32_t>();
  std::string text = "[";
  for (int32_t i = offsets[row]; i < offsets[row + 1]; ++i) {
    text += (i > offsets[row] ? ", " : "") + expressions::format_row(*column.children()[0], i);
  }
  return text + "]";
}

/// A function's example in a mode.
struct Case {
  const Function& function;
  const AggregateExample& example;
  EvalMode mode;

  Call call(const std::vector<ColumnPtr>& arguments, const types::DataType& result) const {
    Call call;
    call.function = &function;
    for (const ColumnPtr& argument : arguments) call.argument_types.push_back(argument->type());
    call.result_type = result;
    call.overload = function.overload_for(call);
    call.mode = mode;
    call.options = example.options;
    return call;
  }
};

/// The group that examples come to, and others beside it.
constexpr int64_t kGroups = 4;
constexpr int32_t kGroup = 2;

/// Adds rows [first, end) to kGroup; where there are others, each row to those too.
void add(Accumulator& accumulator, const std::vector<ColumnPtr>& arguments, int64_t first, int64_t end,
         bool has_others) {
  const int32_t times = has_others ? 3 : 1;
  std::vector<int32_t> rows;
  std::vector<int32_t> groups;
  for (int32_t group = 1; group <= times; ++group) {
    for (int64_t row = first; row < end; ++row) {
      rows.push_back(static_cast<int32_t>(row));
      groups.push_back(has_others ? group : kGroup);
    }
  }
  std::vector<ColumnPtr> taken;
  for (const ColumnPtr& argument : arguments) {
    taken.push_back(columns::copy_compact(*columns::gather(*argument, rows, budget()), budget()));
  }
  accumulator.resize(kGroups);
  accumulator.update({groups.data(), static_cast<int64_t>(rows.size()), kGroups, first}, taken);
}

using Merge = void (*)(Accumulator& into, Accumulator& from, const Call& call);

void merge_directly(Accumulator& into, Accumulator& from, const Call&) {
  into.merge(from, std::vector<int32_t>{kGroup}, std::vector<int32_t>{kGroup});
}

void merge_by_columns(Accumulator& into, Accumulator& from, const Call& call) {
  from.seal();
  const std::vector<ColumnPtr> states = from.states(kGroup, 1);
  std::vector<types::DataType> types;
  for (const ColumnPtr& state : states) types.push_back(state->type());
  EXPECT_EQ(types, call.overload->variant_of(call).state_types(call));
  into.merge_states(states, std::vector<int32_t>{kGroup});
}

/// Checks what an accumulator makes of kGroup.
void expect_result(Accumulator& accumulator, const Case& each, const Call& call, const Expected& expected) {
  accumulator.seal();
  std::vector<columns::RowError> errors;
  const ColumnPtr result = accumulator.finish(kGroup, 1, errors);
  const bool fails = each.example.error != 0 && each.mode == EvalMode::Ansi;
  ASSERT_EQ(errors.size(), fails ? 1u : 0u);
  if (fails) {
    EXPECT_EQ(errors[0].code, each.example.error);
    EXPECT_TRUE(call.can_fail());
  } else {
    EXPECT_EQ(shown(*result, 0), expected.text);
  }
}

void run(const Case& each) {
  const std::vector<ColumnPtr> arguments = arguments_of(each.example);
  const Expected expected = expected_of(each.example, each.mode);
  const Call call = each.call(arguments, expected.type);
  ASSERT_NE(call.overload, nullptr) << "no overload takes the types";
  // Rows with equal arguments come once: who counts them is above accumulators.
  const int64_t num_rows = arguments.empty() ? 0 : call.description().is_distinct ? 1 : arguments[0]->length();
  for (int64_t first = 0; first <= num_rows; ++first) {
    for (const bool has_others : {false, true}) {
      for (const Merge merge : {merge_directly, merge_by_columns}) {
        const auto into = call.make_accumulator(context());
        const auto from = call.make_accumulator(context());
        add(*from, arguments, first, num_rows, has_others);
        add(*into, arguments, 0, first, has_others);
        merge(*into, *from, call);
        expect_result(*into, each, call, expected);
      }
    }
  }
}

TEST(AggregateFunctions, EqualTheirExamples) {
  for (const Function* function : all_functions()) {
    EXPECT_FALSE(function->examples.empty()) << function->name();
    for (const AggregateExample& example : function->examples) {
      for (const EvalMode mode : {EvalMode::Legacy, EvalMode::Ansi, EvalMode::Try}) {
        SCOPED_TRACE(std::string(function->name()) + " of " + example.rows + " in mode " +
                     std::to_string(static_cast<int>(mode)));
        run({*function, example, mode});
      }
    }
  }
}

/// Each row of an example is a group, which takes in the one before.
TEST(AggregateFunctions, MergeTheirOwnGroupsOneAfterTheOther) {
  for (const Function* function : all_functions()) {
    for (const AggregateExample& example : function->examples) {
      const std::vector<ColumnPtr> arguments = arguments_of(example);
      const Expected expected = expected_of(example, EvalMode::Legacy);
      const Case each{*function, example, EvalMode::Legacy};
      const Call call = each.call(arguments, expected.type);
      // What collects, or has places, is added up otherwise.
      const functions::AggregateDescription& description = call.description();
      if (arguments.empty() || call.overload->collects || description.places || description.is_distinct) continue;
      SCOPED_TRACE(std::string(function->name()) + " of " + example.rows);
      const auto num_rows = static_cast<int32_t>(arguments[0]->length());
      std::vector<int32_t> groups;
      for (int32_t row = 0; row < num_rows; ++row) groups.push_back(row + 1);
      const auto states = call.make_accumulator(context());
      states->resize(num_rows + 1);
      states->update({groups.data(), num_rows, num_rows + 1}, arguments);
      states->merge(*states, std::span(groups).first(groups.size() - 1), std::span(groups).subspan(1));
      states->seal();
      std::vector<columns::RowError> errors;
      EXPECT_EQ(shown(*states->finish(num_rows, 1, errors), 0), expected.text);
    }
  }
}

/// Returns the results of all groups.
std::string results_of(Accumulator& states, int64_t num_groups) {
  states.seal();
  std::vector<columns::RowError> errors;
  const ColumnPtr results = states.finish(1, num_groups - 1, errors);
  std::string text;
  for (int64_t row = 0; row < results->length(); ++row) text += shown(*results, row) + " ";
  return text;
}

/// Frames of two rows, which slide along some rows and past their end.
struct Frames {
  std::vector<int32_t> begins;
  std::vector<int32_t> ends;

  explicit Frames(int64_t num_rows) {
    for (int32_t begin = 0; begin <= num_rows; ++begin) {
      begins.push_back(begin);
      ends.push_back(std::min(begin + 2, static_cast<int32_t>(num_rows)));
    }
  }
  int64_t num_groups() const { return static_cast<int64_t>(begins.size()) + 1; }
};

/// Returns the results of frames whose rows are added one frame after the other.
std::string added(const Call& call, const Frames& frames, const std::vector<ColumnPtr>& arguments) {
  const auto states = call.make_accumulator(context());
  states->resize(frames.num_groups());
  for (size_t i = 0; i < frames.begins.size(); ++i) {
    const std::vector<int32_t> groups(2, static_cast<int32_t>(i) + 1);
    std::vector<ColumnPtr> rows;
    const int32_t length = frames.ends[i] - frames.begins[i];
    for (const ColumnPtr& argument : arguments) rows.push_back(argument->slice(frames.begins[i], length));
    states->update({groups.data(), length, frames.num_groups()}, rows);
  }
  return results_of(*states, frames.num_groups());
}

TEST(AggregateFunctions, GiveBackExactlyWhatLeavesAFrame) {
  int num_slid = 0;
  for (const Function* function : all_functions()) {
    for (const AggregateExample& example : function->examples) {
      const std::vector<ColumnPtr> arguments = arguments_of(example);
      if (arguments.empty()) continue;
      const Case each{*function, example, EvalMode::Legacy};
      const Call call = each.call(arguments, expected_of(example, each.mode).type);
      const Frames frames(arguments.front()->length());
      const auto slid = call.make_accumulator(context());
      slid->resize(frames.num_groups());
      if (!slid->slide(frames.begins, frames.ends, arguments)) continue;
      EXPECT_EQ(results_of(*slid, frames.num_groups()), added(call, frames, arguments)) << example.rows;
      ++num_slid;
    }
  }
  EXPECT_GT(num_slid, 10);
}

TEST(AggregateFunctions, AreFoundByTheirClass) {
  for (const Function* function : all_functions()) {
    EXPECT_EQ(find_function(function->description->spark_class), function);
    EXPECT_FALSE(function->overloads.empty());
  }
  EXPECT_EQ(find_function("org.apache.spark.sql.catalyst.expressions.Add"), nullptr);
}

TEST(AggregateFunctions, TakeTheTypesOfTheirSignatures) {
  const auto type = [](const char* text) { return expressions::parse_type(text); };
  const auto takes = [&](std::string_view name, std::vector<types::DataType> arguments, const char* result) {
    try {
      call_of(name, std::move(arguments), type(result));
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  EXPECT_TRUE(takes("min", {type("decimal(9,2)")}, "decimal(9,2)"));
  EXPECT_FALSE(takes("min", {type("decimal(9,2)")}, "decimal(10,2)"));
  EXPECT_TRUE(takes("sum", {type("decimal(9,2)")}, "decimal(19,2)"));
  EXPECT_FALSE(takes("sum", {type("decimal(9,2)")}, "decimal(19,3)"));
  EXPECT_FALSE(takes("sum", {type("string")}, "double"));
  EXPECT_TRUE(takes("first", {type("string")}, "string"));
  EXPECT_FALSE(takes("first", {types::DataType::array(type("int"), true)}, "int"));
  EXPECT_TRUE(takes("count", {type("string"), types::DataType::array(type("int"), true)}, "bigint"));
  EXPECT_FALSE(takes("bit_and", {type("double")}, "double"));
}

TEST(AggregateFunctions, GiveAResultForEachElementOfAnArray) {
  const types::DataType number(types::TypeId::Double);
  Call call = call_of("percentile", {types::DataType(types::TypeId::Int), types::DataType::array(number, true)},
                      types::DataType::array(number, false));
  const std::vector<ColumnPtr> arguments = {
      expressions::parse_column("int", {"1", "null", "3"}),
      columns::test::make_array(
          columns::test::make_flat<double>(number, {0.5, 1.0, 0.5, 1.0, 0.5, 1.0}, types::PhysicalType::Float64),
          {2, 2, 2})};
  const auto accumulator = call.make_accumulator(context());
  const std::vector<int32_t> groups = {1, 2, 1};
  accumulator->resize(3);
  accumulator->update({groups.data(), 3, 3, 0}, arguments);
  accumulator->seal();
  std::vector<columns::RowError> errors;
  const ColumnPtr result = accumulator->finish(1, 2, errors);
  EXPECT_EQ(result->type(), call.result_type);
  EXPECT_TRUE(result->is_null(1));
  EXPECT_EQ(result->values<int32_t>()[1], 2);
  EXPECT_EQ(result->children()[0]->values<double>()[0], 2);
  EXPECT_EQ(result->children()[0]->values<double>()[1], 3);
}

TEST(AggregateFunctions, HaveWordsWhereEachColumnCombinesByItself) {
  const auto words = [](std::string_view name, const char* type, const char* result) {
    const Call call = call_of(name, {expressions::parse_type(type)}, expressions::parse_type(result));
    return call.overload->variant_of(call).shared.num_words;
  };
  EXPECT_EQ(words("count", "int", "bigint"), 1);
  EXPECT_EQ(words("bit_xor", "int", "int"), 2);
  EXPECT_EQ(words("max", "decimal(9,2)", "decimal(9,2)"), 2);
  EXPECT_EQ(words("max", "decimal(30,2)", "decimal(30,2)"), 0);
  EXPECT_EQ(words("max", "string", "string"), 0);
  EXPECT_EQ(words("sum", "decimal(30,2)", "decimal(38,2)"), 4);
  EXPECT_EQ(words("first", "int", "int"), 0);
}

}  // namespace
}  // namespace accelerant::aggregates
