#pragma once

#include "functions/datetime/moment.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct UnixMicros {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.UnixMicros",
      .sql = "unix_micros(timestamp)",
      .text = "Returns the microseconds since 1970-01-01 00:00 UTC.",
  };
  using Signatures = From<types::LongType, types::TimestampType>;
  static constexpr Example kExamples[] = {
      {{"1970-01-01 00:00:01 timestamp"}, "1000000 bigint"},
      {{"null timestamp"}, "null bigint"},
  };

  ACC_HD static int64 call(int64 timestamp) { return timestamp; }
};

}  // namespace accelerant::functions
