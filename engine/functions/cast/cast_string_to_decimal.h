#pragma once

#include "functions/cast/decimal_parser.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct CastStringToDecimal {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text = "Reads a decimal, halves rounding away from zero; null in legacy mode where the digits do not suffice.",
  };
  using Signatures = From<types::DecimalType, types::StringType>;
  static constexpr Example kExamples[] = {
      {{"1.25 string"}, "1.3 decimal(5,1)"},
      {{" -1.25 string"}, "-1.3 decimal(5,1)"},
      {{"+.5 string"}, "1 decimal(5,0)"},
      {{"5. string"}, "5.00 decimal(5,2)"},
      {{"1.5e2 string"}, "150.00 decimal(5,2)"},
      {{"149E-2 string"}, "1 decimal(5,0)"},
      {{"0.00049 string"}, "0.000 decimal(5,3)"},
      {{"99.95 string"}, "null decimal(3,1)", kDecimalOverflow},
      {{"0E100 string"}, "0.0 decimal(3,1)"},
      {{"1E38 string"}, "null decimal(38,0)", kDecimalOverflow},
      {{"1e-400 string"}, "0.0 decimal(3,1)"},
      {{"٣.٥ string"}, "3.5 decimal(3,1)"},
      {{"12345678901234567890123456789012345678.4 string"}, "12345678901234567890123456789012345678 decimal(38,0)"},
      {{"99999999999999999999999999999999999999.5 string"}, "null decimal(38,0)", kDecimalOverflow},
      {{"1e string"}, "null decimal(5,1)", kCastInvalid},
      {{"1d string"}, "null decimal(5,1)", kCastInvalid},
      {{". string"}, "null decimal(5,1)", kCastInvalid},
      {{"1 2 string"}, "null decimal(5,1)", kCastInvalid},
      {{" string"}, "null decimal(5,1)", kCastInvalid},
      {{"null string"}, "null decimal(5,1)"},
  };

  ACC_HD static types::DecimalRange range(types::DecimalRange, const types::DecimalContext& context) {
    return types::DecimalRange::of_precision(context.result_precision);
  }
  template <class E>
  ACC_HD static int64 call_narrow(types::StringRef text, const types::DecimalContext& context, E& error) {
    return static_cast<int64>(call_wide(text, context, error));
  }
  template <class E>
  ACC_HD static int128 call_wide(types::StringRef text, const types::DecimalContext& context, E& error) {
    const DecimalParser number(text);
    if (!number.is_valid()) {
      error |= static_cast<E>(kCastInvalid);
      return 0;
    }
    return number.rounded(context.result_precision, context.result_scale, static_cast<E>(kDecimalOverflow), error);
  }
};

}  // namespace accelerant::functions
