#pragma once

#include "functions/datetime/moment.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct UnixMillis {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.UnixMillis",
      .sql = "unix_millis(timestamp)",
      .text = "Returns the milliseconds since 1970-01-01 00:00 UTC, rounded down.",
  };
  using Signatures = From<types::LongType, types::TimestampType>;
  static constexpr Example kExamples[] = {
      {{"1970-01-01 00:00:01 timestamp"}, "1000 bigint"},
      {{"1969-12-31 23:59:59.999999 timestamp"}, "-1 bigint"},
      {{"null timestamp"}, "null bigint"},
  };

  ACC_HD static int64 call(int64 timestamp) { return types::floor_divide(timestamp, 1000); }
};

}  // namespace accelerant::functions
