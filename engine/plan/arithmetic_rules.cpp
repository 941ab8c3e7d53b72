#include "plan/arithmetic_rules.h"

#include "base/error.h"

#include <string>

namespace accelerant::plan {

using expressions::EvalMode;
using expressions::Slot;
using types::DataType;
using types::TypeId;

namespace {

/// Says whether a slot is an int literal of at least 0.
bool is_place_behind_point(const columns::ColumnPtr& constant) {
  return constant && constant->type().is(TypeId::Int) && !constant->is_null(0) && constant->values<int32_t>()[0] >= 0;
}

[[noreturn]] void refuse(const ExpressionCall& call, const DataType& from) {
  throw_unsupported("expression " + std::string(call.fields.short_name()) + " of " + from.to_string() +
                    " to such places");
}

}  // namespace

Slot bind_round(ExpressionCall& call) {
  const Slot child = call.slot(call.fields.take_node("child"));
  const Slot scale = call.slot(call.fields.take_node("scale"));
  const EvalMode mode = call.fields.take_mode();
  call.fields.finish();
  const DataType from = call.builder().type(child);
  if (from.is_floating()) {
    call.require_type(child, call.type());
    return call.builder().call(call.fields.class_name(), {child, scale, call.java_version()}, call.type(), mode,
                               call.fields.index());
  }
  // A cast rounds halves away from zero.
  const bool is_decimal = from.is_decimal() && call.type().is_decimal() && call.fields.short_name() == "Round";
  const bool is_supported = is_decimal || (from.is_integral() && from == call.type());
  if (!is_supported || !is_place_behind_point(call.builder().constant_of(scale))) refuse(call, from);
  if (!from.is_decimal()) return child;
  // The result's scale is the smaller one of the value's and the places.
  return call.builder().call("org.apache.spark.sql.catalyst.expressions.Cast", {child}, call.type(), mode,
                             call.fields.index());
}

Slot bind_whole_number(ExpressionCall& call) {
  call.require_function();
  const Slot child = call.slot(call.fields.take_node("child"));
  const EvalMode mode = call.fields.take_bool_or("failOnError", false) ? EvalMode::Ansi : EvalMode::Legacy;
  call.fields.finish();
  return call.builder().call(call.fields.class_name(), {child}, call.type(), mode, call.fields.index());
}

Slot bind_round_to_side(ExpressionCall& call) {
  const Slot child = call.slot(call.fields.take_node("child"));
  const Slot scale = call.slot(call.fields.take_node("scale"));
  call.fields.finish();
  const DataType from = call.builder().type(child);
  const bool is_supported = from.is_decimal() && call.type().is_decimal();
  if (!is_supported || !is_place_behind_point(call.builder().constant_of(scale))) refuse(call, from);
  return call.call_function(call.fields.short_name() == "RoundCeil" ? "Ceil" : "Floor", {child}, call.type());
}

}  // namespace accelerant::plan
