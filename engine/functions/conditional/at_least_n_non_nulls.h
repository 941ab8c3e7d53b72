#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

struct AtLeastNNonNulls {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.AtLeastNNonNulls",
      .sql = "(put by Spark for DataFrame.na.drop)",
      .text = "Says whether so many of some values are neither null nor NaN.",
  };
  using Signatures = SignatureList<>;
  static constexpr Example kExamples[] = {
      {{"1 int", "null int", "x string"}, "true boolean"},
      {{"2 int", "null int", "x string"}, "false boolean"},
      {{"2 int", "nan double", "1 double"}, "false boolean"},
      {{"0 int", "null int"}, "true boolean"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    const auto wanted = call.integer("n");
    const auto values = call.arguments("children");
    call.finish();
    const auto is_enough = [&](auto found) {
      return call.call_predicate("GreaterThanOrEqual", {found, call.number(wanted)});
    };
    auto found = call.number(0);
    for (const auto value : values) {
      // Spark stops at the nth: errors of those behind it do not count.
      const auto more = call.call_other("Add", {found, counted(call, value)}, call.type_of(found));
      found = call.builder().case_when({{is_enough(found), found}}, more, call.type_of(found));
    }
    return is_enough(found);
  }

 private:
  /// Gives 1 where a value is neither null nor NaN, else 0.
  template <class Call>
  ACC_HD static auto counted(Call& call, auto value) {
    auto is_there = call.call_predicate("IsNotNull", {value});
    if (call.type_of(value).is_floating()) {
      const auto is_number = call.call_predicate("Not", {call.call_predicate("IsNaN", {value})});
      is_there = call.builder().conjunction({is_there, is_number});
    }
    const auto one = call.number(1);
    return call.builder().case_when({{is_there, one}}, call.number(0), call.type_of(one));
  }
};

}  // namespace accelerant::functions
