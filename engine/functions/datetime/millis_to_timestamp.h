#pragma once

#include "functions/datetime/moment.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct MillisToTimestamp {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.MillisToTimestamp",
      .sql = "timestamp_millis(milliseconds)",
      .text = "Returns the timestamp that many milliseconds after 1970-01-01 00:00 UTC.",
  };
  using Signatures = From<types::TimestampType, types::ByteType, types::ShortType, types::IntType, types::LongType>;
  static constexpr Example kExamples[] = {
      {{"1 int"}, "1000 timestamp"},
      {{"-1 tinyint"}, "-1000 timestamp"},
      {{"9223372036854776 bigint"}, "null timestamp", kOutOfRange},
      {{"null int"}, "null timestamp"},
  };

  template <class T, class E>
  ACC_HD static int64 call(T millis, E& error) {
    return multiply_in_range(millis, 1000, error);
  }
};

}  // namespace accelerant::functions
