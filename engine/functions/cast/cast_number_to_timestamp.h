#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/datetime/moment.h"
#include "functions/definition.h"
#include "types/floating.h"

namespace accelerant::functions {

struct CastNumberToTimestamp {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text =
          "Takes a number as seconds since 1970-01-01 00:00 UTC: integers stop at the ends of the type; true is a "
          "microsecond.",
      .fails_only_in_ansi = true,
  };
  using Signatures = From<types::TimestampType, types::BooleanType, types::ByteType, types::ShortType, types::IntType,
                          types::LongType, types::FloatType, types::DoubleType>;
  static constexpr Example kExamples[] = {
      {{"5 int"}, "1970-01-01 00:00:05 timestamp"},
      {{"-1 tinyint"}, "1969-12-31 23:59:59 timestamp"},
      {{"9223372036855 bigint"}, "9223372036854775807 timestamp"},
      {{"-9223372036855 bigint"}, "-9223372036854775808 timestamp"},
      {{"true boolean"}, "1 timestamp"},
      {{"-1.5 double"}, "1969-12-31 23:59:58.5 timestamp"},
      {{"0.1 float"}, "100000 timestamp"},
      {{"nan double"}, "null timestamp", kCastInvalid},
      {{"inf float"}, "null timestamp", kCastInvalid},
      {{"1e300 double"}, "9223372036854775807 timestamp", kCastOverflow},
      {{"null int"}, "null timestamp"},
  };

  template <class T>
  ACC_HD static int64 call(T seconds) {
    if constexpr (kSameType<T, bool>) return seconds;
    const int128 micros = static_cast<int128>(static_cast<int64>(seconds)) * kMicrosPerSecond;
    constexpr int64 kMax = static_cast<int64>(~uint64{0} >> 1);
    return micros > kMax ? kMax : micros < ~kMax ? ~kMax : static_cast<int64>(micros);
  }
  template <class T, class E>
  requires(kSameType<T, float> || kSameType<T, double>) ACC_HD static int64 call(T seconds, E& error) {
    const double micros = static_cast<double>(seconds) * kMicrosPerSecond;
    if (!types::is_finite(seconds)) {
      error |= static_cast<E>(kCastInvalid);
    } else if (micros > types::kBeyondInt64 || micros < -types::kBeyondInt64) {
      error |= static_cast<E>(kCastOverflow);
    }
    return types::saturate<int64>(micros);
  }
};

}  // namespace accelerant::functions
