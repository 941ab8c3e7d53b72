#include "plan/conditional_rules.h"

#include <string>
#include <string_view>
#include <vector>

namespace accelerant::plan {

using expressions::EvalMode;
using expressions::Slot;
using types::DataType;
using types::TypeId;

namespace {

Slot call_function(const ExpressionCall& call, std::string_view name, std::vector<Slot> arguments, TypeId result) {
  const std::string spark_class = "org.apache.spark.sql.catalyst.expressions." + std::string(name);
  return call.builder().call(spark_class, std::move(arguments), DataType(result), EvalMode::Ansi, call.fields.index());
}

bool is_floating(const DataType& type) { return type.is(TypeId::Float) || type.is(TypeId::Double); }

/// 1 where a value is neither null nor NaN, else 0.
Slot counts(const ExpressionCall& call, Slot value) {
  Slot is_present = call_function(call, "IsNotNull", {value}, TypeId::Boolean);
  if (is_floating(call.builder().type(value))) {
    const Slot is_nan = call_function(call, "IsNaN", {value}, TypeId::Boolean);
    is_present = call.builder().conjunction({is_present, call_function(call, "Not", {is_nan}, TypeId::Boolean)});
  }
  return call.builder().case_when({{is_present, call.integer(1)}}, call.integer(0), DataType(TypeId::Int));
}

}  // namespace

Slot bind_extreme(ExpressionCall& call) {
  const std::vector<Slot> children = call.slots(call.fields.take_nodes("children"));
  call.fields.finish();
  if (children.empty()) call.fields.fail("children", "is empty");
  for (const Slot child : children) call.require_type(child, call.type());
  Slot extreme = children.front();
  for (size_t i = 1; i < children.size(); ++i) {
    extreme = call.builder().call(call.fields.class_name(), {extreme, children[i]}, call.type(), EvalMode::Ansi,
                                  call.fields.index());
  }
  return extreme;
}

Slot bind_nanvl(ExpressionCall& call) {
  const Slot left = call.slot(call.fields.take_node("left"));
  const Slot right = call.slot(call.fields.take_node("right"));
  call.fields.finish();
  for (const Slot side : {left, right}) call.require_type(side, call.type());
  const Slot is_nan = call_function(call, "IsNaN", {left}, TypeId::Boolean);
  return call.builder().case_when({{is_nan, right}}, left, call.type());
}

Slot bind_at_least_n_non_nulls(ExpressionCall& call) {
  const int64_t wanted = call.fields.take_integer("n");
  const std::vector<Slot> children = call.slots(call.fields.take_nodes("children"));
  call.fields.finish();
  Slot found = call.integer(0);
  for (const Slot child : children) found = call_function(call, "Add", {found, counts(call, child)}, TypeId::Int);
  return call_function(call, "GreaterThanOrEqual", {found, call.integer(wanted)}, TypeId::Boolean);
}

}  // namespace accelerant::plan
