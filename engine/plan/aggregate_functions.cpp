#include "plan/aggregate_functions.h"

#include "base/error.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace accelerant::plan {

using types::DataType;
using types::TypeId;

namespace {

constexpr std::string_view kFunctions = "org.apache.spark.sql.catalyst.expressions.aggregate.";

/// A class of aggregate functions and the names of the fields that hold its arguments.
struct FunctionClass {
  AggregateKind kind;
  std::vector<const char*> arguments;
};

const FunctionClass* find_class(std::string_view class_name) {
  static const std::unordered_map<std::string_view, FunctionClass> kClasses = {
      {"Sum", {AggregateKind::Sum, {"child"}}},
      {"Average", {AggregateKind::Average, {"child"}}},
      {"Count", {AggregateKind::Count, {}}},
      {"Min", {AggregateKind::Min, {"child"}}},
      {"Max", {AggregateKind::Max, {"child"}}},
      {"First", {AggregateKind::First, {"child"}}},
      {"Last", {AggregateKind::Last, {"child"}}},
      {"MaxBy", {AggregateKind::MaxBy, {"valueExpr", "orderingExpr"}}},
      {"MinBy", {AggregateKind::MinBy, {"valueExpr", "orderingExpr"}}},
      {"BitAndAgg", {AggregateKind::BitAnd, {"child"}}},
      {"BitOrAgg", {AggregateKind::BitOr, {"child"}}},
      {"BitXorAgg", {AggregateKind::BitXor, {"child"}}},
      {"VariancePop", {AggregateKind::VariancePop, {"child"}}},
      {"VarianceSamp", {AggregateKind::VarianceSamp, {"child"}}},
      {"StddevPop", {AggregateKind::StddevPop, {"child"}}},
      {"StddevSamp", {AggregateKind::StddevSamp, {"child"}}},
      {"CovPopulation", {AggregateKind::CovPopulation, {"left", "right"}}},
      {"CovSample", {AggregateKind::CovSample, {"left", "right"}}},
      {"Corr", {AggregateKind::Corr, {"x", "y"}}},
      {"CollectList", {AggregateKind::CollectList, {"child"}}},
      {"CollectSet", {AggregateKind::CollectSet, {"child"}}},
  };
  if (!class_name.starts_with(kFunctions)) return nullptr;
  const auto found = kClasses.find(class_name.substr(kFunctions.size()));
  return found == kClasses.end() ? nullptr : &found->second;
}

void read_flags(NodeFields& fields, AggregateCall& call) {
  switch (call.kind) {
    case AggregateKind::First:
    case AggregateKind::Last:
      call.ignores_nulls = fields.take_bool("ignoreNulls");
      break;
    case AggregateKind::CollectList:
    case AggregateKind::CollectSet:
      call.ignores_nulls = fields.take_bool_or("ignoreNulls", call.ignores_nulls);  // since Spark 4.3
      call.distinct = call.kind == AggregateKind::CollectSet;
      for (const char* name : {"mutableAggBufferOffset", "inputAggBufferOffset"}) fields.ignore(name);
      break;
    default:
      if (traits_of(call.kind).is_moment) call.null_on_divide_by_zero = fields.take_bool("nullOnDivideByZero");
      break;
  }
}

/// Before 4.3, Spark's corr divides by zero where a side does not vary; what 4.2 does is not known.
void read_version(const PlanMessage& message, AggregateCall& call) {
  if (call.kind != AggregateKind::Corr) return;
  call.null_without_variance = message.spark_version.starts_with("4.3");
  if (call.null_without_variance || message.spark_version.starts_with("4.1")) return;
  throw_unsupported("aggregate Corr (Spark " + message.spark_version + ")");
}

bool is_sound_sum(const DataType& argument, const DataType& result) {
  if (argument.is_decimal()) return result.is_decimal() && result.scale() == argument.scale();
  return (argument.is_integral() && result.is(TypeId::Long)) || (argument.is_floating() && result.is(TypeId::Double));
}

bool is_sound_average(const DataType& argument, const DataType& result) {
  if (argument.is_decimal()) return result.is_decimal() && result.scale() >= argument.scale();
  return (argument.is_integral() || argument.is_floating()) && result.is(TypeId::Double);
}

bool all_doubles(const AggregateCall& call) {
  const auto is_double = [](const DataType& type) { return type.is(TypeId::Double); };
  return is_double(call.result_type) && std::all_of(call.argument_types.begin(), call.argument_types.end(), is_double);
}

bool has_a_nested_argument(const AggregateCall& call) {
  return std::any_of(call.argument_types.begin(), call.argument_types.end(),
                     [](const DataType& type) { return type.is_nested() || type.is(TypeId::Null); });
}

}  // namespace

AggregateFunction read_aggregate_function(const PlanMessage& message, int index) {
  NodeFields fields(message, index);
  const FunctionClass* known = find_class(fields.class_name());
  if (!known || !fields.node().type)
    throw_unsupported("aggregate " + std::string(fields.short_name()) + " (Spark " + message.spark_version + ")");
  AggregateFunction function;
  function.call.kind = known->kind;
  function.call.result_type = *fields.node().type;
  function.call.nullable = fields.node().nullable;
  function.call.expression = index;
  if (known->kind == AggregateKind::Count) function.arguments = fields.take_nodes("children");
  for (const char* name : known->arguments) function.arguments.push_back(fields.take_node(name));
  function.call.mode = fields.take_mode();
  read_flags(fields, function.call);
  read_version(message, function.call);
  fields.finish();
  return function;
}

bool has_sound_types(const AggregateCall& call) {
  const DataType& result = call.result_type;
  if (call.kind == AggregateKind::Count) return result.is(TypeId::Long);
  const DataType& argument = call.argument_types.front();
  if (call.kind != AggregateKind::CollectList && has_a_nested_argument(call)) return false;
  switch (call.kind) {
    case AggregateKind::Sum:
      return is_sound_sum(argument, result);
    case AggregateKind::Average:
      return is_sound_average(argument, result);
    case AggregateKind::BitAnd:
    case AggregateKind::BitOr:
    case AggregateKind::BitXor:
      return argument == result && argument.is_integral();
    case AggregateKind::CollectList:
    case AggregateKind::CollectSet:
      return result.is(TypeId::Array) && result.fields().front().type == argument &&
             !(call.kind == AggregateKind::CollectSet && argument.is_floating());
    default:
      return traits_of(call.kind).is_moment ? all_doubles(call) : argument == result;
  }
}

}  // namespace accelerant::plan
