#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/datetime/moment.h"
#include "functions/definition.h"
#include "types/floating.h"

namespace accelerant::functions {

struct SecondsToTimestamp {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.SecondsToTimestamp",
      .sql = "timestamp_seconds(seconds)",
      .text = "Returns the timestamp that many seconds after 1970-01-01 00:00 UTC; null for what is no finite number.",
  };
  using Signatures = From<types::TimestampType, types::ByteType, types::ShortType, types::IntType, types::LongType,
                          types::FloatType, types::DoubleType>;
  static constexpr Example kExamples[] = {
      {{"1 int"}, "1970-01-01 00:00:01 timestamp"},
      {{"-1 tinyint"}, "1969-12-31 23:59:59 timestamp"},
      {{"9223372036855 bigint"}, "null timestamp", kOutOfRange},
      {{"1.5 double"}, "1970-01-01 00:00:01.5 timestamp"},
      {{"-1.1234567 float"}, "-1123456 timestamp"},
      {{"nan double"}, "null timestamp"},
      {{"inf float"}, "null timestamp"},
      {{"1e300 double"}, "9223372036854775807 timestamp"},
      {{"null int"}, "null timestamp"},
  };

  template <Integer T, class E>
  ACC_HD static int64 call(T seconds, E& error) {
    return multiply_in_range(seconds, kMicrosPerSecond, error);
  }
  ACC_HD static types::Nullable<int64> call(double seconds) {
    return {types::saturate<int64>(seconds * kMicrosPerSecond), types::is_finite(seconds)};
  }
};

}  // namespace accelerant::functions
