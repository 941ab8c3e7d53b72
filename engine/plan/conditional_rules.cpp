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

/// 1 where a value is neither null nor NaN, else 0.
Slot counts(const ExpressionCall& call, Slot value) {
  Slot is_present = call.call_function("IsNotNull", {value}, DataType(TypeId::Boolean));
  if (call.builder().type(value).is_floating()) {
    const Slot is_nan = call.call_function("IsNaN", {value}, DataType(TypeId::Boolean));
    is_present =
        call.builder().conjunction({is_present, call.call_function("Not", {is_nan}, DataType(TypeId::Boolean))});
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
  const Slot is_nan = call.call_function("IsNaN", {left}, DataType(TypeId::Boolean));
  return call.builder().case_when({{is_nan, right}}, left, call.type());
}

Slot bind_at_least_n_non_nulls(ExpressionCall& call) {
  const int64_t wanted = call.fields.take_integer("n");
  const std::vector<Slot> children = call.slots(call.fields.take_nodes("children"));
  call.fields.finish();
  const auto is_enough = [&](Slot found) {
    return call.call_function("GreaterThanOrEqual", {found, call.integer(wanted)}, DataType(TypeId::Boolean));
  };
  Slot found = call.integer(0);
  for (const Slot child : children) {
    // Spark stops at the nth: errors of those behind it do not count.
    const Slot more = call.call_function("Add", {found, counts(call, child)}, DataType(TypeId::Int));
    found = call.builder().case_when({{is_enough(found), found}}, more, DataType(TypeId::Int));
  }
  return is_enough(found);
}

}  // namespace accelerant::plan
