#pragma once

#include "functions/definition.h"

/// What round and bround make of Spark's fields.
namespace accelerant::functions {

/// Binds a call whose decimals are cast, which rounds halves away from zero, if `casts_decimals`.
template <class Call>
ACC_HD auto bind_round(Call& call, bool casts_decimals) {
  const auto value = call.argument("child");
  const auto scale = call.argument("scale");
  const auto mode = call.mode();
  call.finish();
  const auto from = call.type_of(value);
  if (from.is_floating()) {
    call.require_type(value, call.type());
    return call.call({value, scale, call.java_version()}, mode);
  }
  const bool is_decimal = casts_decimals && from.is_decimal() && call.type().is_decimal();
  const bool is_supported = is_decimal || (from.is_integral() && from == call.type());
  if (!is_supported || !call.is_constant_from_0_on(scale)) call.refuse("of " + from.to_string() + " to such places");
  // The result's scale is the smaller one of the value's and the places.
  return is_decimal ? call.call("org.apache.spark.sql.catalyst.expressions.Cast", {value}, mode) : value;
}

/// Binds ceil and floor of one argument.
template <class Call>
ACC_HD auto bind_whole_number(Call& call) {
  const auto value = call.argument("child");
  const bool fails = call.flag("failOnError", false);
  call.finish();
  return call.call({value}, fails ? Call::kAnsi : Call::kLegacy);
}

/// Binds ceil and floor to places behind the point, of decimals.
template <class Call>
ACC_HD auto bind_to_places(Call& call, const char* whole_number) {
  const auto value = call.argument("child");
  const auto scale = call.argument("scale");
  call.finish();
  const auto from = call.type_of(value);
  const bool is_supported = from.is_decimal() && call.type().is_decimal();
  if (!is_supported || !call.is_constant_from_0_on(scale)) call.refuse("of " + from.to_string() + " to such places");
  return call.call_other(whole_number, {value}, call.type());
}

}  // namespace accelerant::functions
