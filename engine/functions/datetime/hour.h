#pragma once

#include "functions/datetime/moment.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct Hour {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Hour",
      .sql = "hour(timestamp)",
      .text = "Returns the hour of a timestamp, 0 to 23.",
  };
  using Signatures = From<types::IntType, types::TimestampType, types::TimestampNtzType>;
  static constexpr Example kExamples[] = {
      {{"2024-01-01 12:58:59 timestamp"}, "13 int"},
      {{"2024-03-31 01:00:00 timestamp"}, "3 int"},
      {{"2024-10-27 01:30:00 timestamp"}, "2 int"},
      {{"2424-07-01 22:30:00 timestamp"}, "0 int"},
      {{"1800-01-01 00:00:00 timestamp"}, "0 int"},
      {{"2024-01-01 12:58:59 timestamp_ntz"}, "12 int"},
      {{"2024-01-01 12:58:59 timestamp"}, "12 int", 0, "UTC"},
      {{"-9223372036854775808 timestamp"}, "20 int"},
      {{"null timestamp"}, "null int"},
  };

  ACC_HD static int32 call_zoned(int64 timestamp, const types::TimeZone& zone) {
    return static_cast<int32>(local_moment(timestamp, zone).second_of_day() / 3600);
  }
};

}  // namespace accelerant::functions
