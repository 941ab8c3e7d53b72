#pragma once

#include "functions/definition.h"
#include "functions/interval/text_of_interval.h"

namespace accelerant::functions {

/// Binds Spark's class. What it calls are the other functions of that class, found by their types.
struct Cast {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text = "Turns a value into one of another type.",
  };
  using Signatures = SignatureList<>;
  static constexpr Example kExamples[] = {
      {{"5 int"}, "5 int"},
      {{"300 int"}, "44 tinyint", kCastOverflow},
      {{"0.1 double"}, "0.1 string"},
      {{"0.1 double"}, "0.10 decimal(5,2)"},
      {{"nan double"}, "null decimal(5,2)"},
      {{"null double"}, "null decimal(5,2)"},
      {{"93784500000 micros"}, "INTERVAL '1 02:03:04.5' DAY TO SECOND string"},
      {{"14 months"}, "INTERVAL '1-2' YEAR TO MONTH string"},
      {{"2024-07-01 10:30:00 timestamp"}, "2024-07-01 12:30:00 string"},
      {{"[1,null] array<tinyint>"}, "[1,null] array<bigint>"},
      {{"(1,[a]) struct<x:int,y:array<string>>"}, "(1,[a]) struct<k:double,l:array<binary>>"},
      {{"{1:[2],3:null} map<int,array<int>>"}, "{1:[2],3:null} map<bigint,array<bigint>>"},
      {{"[1,null] array<int>"}, "[1, null] string"},
      {{"(0.1,{a:[1]},null) struct<x:double,y:map<string,array<int>>,z:int>"}, "{0.1, {a -> [1]}, null} string"},
      {{"[] array<int>"}, "[] string"},
      {{"null array<int>"}, "null string"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    const auto value = call.argument("child");
    const auto to = call.type_field("dataType");
    const auto mode = call.mode();
    const auto zone = call.zone();
    call.finish();
    return cast(call, value, to, mode, zone);
  }

  /// Casts a value to a type, that of a call's results.
  template <class Call, class Slot, class Type, class Mode, class Zone>
  ACC_HD static Slot cast(Call& call, Slot value, const Type& to, Mode mode, const Zone& zone) {
    const auto from = call.type_of(value);
    if (from == to) return value;
    if (from.is(Call::TypeId::Null) && !call.builder().can_fail(value)) return call.null();
    const bool is_text = to.is(Call::TypeId::String);
    if (from.is_nested() && !call.has_values_of(value, to)) return call.cast_nested(value, mode, zone);
    if (from.is_floating() && (is_text || to.is_decimal())) return of_floating(call, value, mode);
    if (is_text && is_interval(call, value)) return text_of_interval(call, value);
    if (mode == Call::kTry) refuse_to_try(call, from, to);
    return call.call({value}, mode, zone);
  }

 private:
  /// Casts to strings and decimals, which go through Java's toString. A decimal of what is not finite is null in every
  /// mode.
  template <class Call, class Slot, class Mode>
  ACC_HD static Slot of_floating(Call& call, Slot value, Mode mode) {
    const Slot result = call.call({value, call.java_version()}, mode);
    if (!call.type().is_decimal()) return result;
    const Slot gap = call.call_other("Subtract", {value, value}, call.type_of(value));
    const Slot is_not_finite = call.call_predicate("IsNaN", {gap});
    return call.builder().case_when({{is_not_finite, call.null()}}, result, call.type());
  }

  /// Fails for casts among dates and timestamps that overflow in every mode, but are null in `try_cast`.
  template <class Call, class Type>
  ACC_HD static void refuse_to_try(Call& call, const Type& from, const Type& to) {
    const auto is_time = [](const Type& type) {
      return type.is(Call::TypeId::Date) || type.is(Call::TypeId::Timestamp) || type.is(Call::TypeId::TimestampNtz);
    };
    if (!is_time(from) || !is_time(to) || to.is(Call::TypeId::Date)) return;
    call.refuse_with("try_cast from " + from.to_string() + " to " + to.to_string());
  }
};

}  // namespace accelerant::functions
