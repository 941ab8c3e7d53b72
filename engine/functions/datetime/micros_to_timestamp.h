#pragma once

#include "functions/datetime/moment.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct MicrosToTimestamp {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.MicrosToTimestamp",
      .sql = "timestamp_micros(microseconds)",
      .text = "Returns the timestamp that many microseconds after 1970-01-01 00:00 UTC.",
  };
  using Signatures = From<types::TimestampType, types::ByteType, types::ShortType, types::IntType, types::LongType>;
  static constexpr Example kExamples[] = {
      {{"1 int"}, "1 timestamp"},
      {{"-9223372036854775808 bigint"}, "-9223372036854775808 timestamp"},
      {{"null smallint"}, "null timestamp"},
  };

  template <class T>
  ACC_HD static int64 call(T micros) {
    return micros;
  }
};

}  // namespace accelerant::functions
