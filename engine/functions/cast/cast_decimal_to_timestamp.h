#pragma once

#include "functions/datetime/moment.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct CastDecimalToTimestamp {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text = "Takes a decimal as seconds since 1970-01-01 00:00 UTC, cut to microseconds towards zero; wraps around.",
  };
  using Signatures = From<types::TimestampType, types::DecimalType>;
  static constexpr Example kExamples[] = {
      {{"5.5 decimal(3,1)"}, "1970-01-01 00:00:05.5 timestamp"},
      {{"-0.0000019 decimal(9,7)"}, "-1 timestamp"},
      {{"9223372036855 decimal(20,0)"}, "-9223372036854551616 timestamp"},
      {{"null decimal(3,1)"}, "null timestamp"},
  };

  /// Beyond that Spark rounds the product to 34 digits.
  ACC_HD static constexpr bool supports(uint8, const types::DecimalContext& context, bool) {
    return context.left_precision <= 27;
  }

  ACC_HD static int64 call_narrow(int64 value, const types::DecimalContext& context) {
    return call_wide(value, context);
  }
  ACC_HD static int64 call_wide(int128 value, const types::DecimalContext& context) {
    // Unsigned: files may hold numbers of more digits than their type has, whose product wraps.
    const auto product = static_cast<int128>(static_cast<uint128>(value) * static_cast<uint128>(kMicrosPerSecond));
    return static_cast<int64>(product / types::power_of_ten(context.left_scale));
  }
};

}  // namespace accelerant::functions
