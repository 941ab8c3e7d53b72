#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

struct MakeDecimal {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.MakeDecimal",
      .sql = "(put by Spark around sums of short decimals)",
      .text = "Returns a decimal from its digits as a bigint; null in legacy mode where they are too many.",
  };
  using Signatures = From<types::DecimalType, types::LongType>;
  static constexpr Example kExamples[] = {
      {{"1234 bigint"}, "12.34 decimal(4,2)"},
      {{"-1 bigint"}, "-0.01 decimal(17,2)"},
      {{"null bigint"}, "null decimal(17,2)"},
      {{"99999 bigint"}, "null decimal(4,2)", kDecimalOverflow},
      {{"-9223372036854775808 bigint"}, "null decimal(18,0)", kDecimalOverflow},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    const auto value = call.argument("child");
    const bool fits =
        call.integer("precision") == call.type().precision() && call.integer("scale") == call.type().scale();
    const bool is_null_then = call.flag("nullOnOverflow", false);
    call.finish();
    if (!fits) call.refuse("of another precision");
    return call.call({value}, is_null_then ? Call::kLegacy : Call::kAnsi);
  }

  ACC_HD static types::DecimalRange range(types::DecimalRange value, const types::DecimalContext&) { return value; }
  ACC_HD static int64 call_narrow(int64 value, const types::DecimalContext&) { return value; }
  template <class E>
  ACC_HD static int128 call_wide(int64 value, const types::DecimalContext& context, E& error) {
    const bool fits = value > -context.limit && value < context.limit;
    error |= fits ? E{0} : static_cast<E>(kDecimalOverflow);
    return fits ? value : 0;
  }
};

}  // namespace accelerant::functions
