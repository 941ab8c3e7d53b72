#pragma once

#include "functions/datetime/moment.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct Second {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Second",
      .sql = "second(timestamp)",
      .text = "Returns the second of a timestamp, 0 to 59.",
  };
  using Signatures = From<types::IntType, types::TimestampType, types::TimestampNtzType>;
  static constexpr Example kExamples[] = {
      {{"2024-01-01 12:58:59 timestamp"}, "59 int"},
      {{"1800-01-01 00:00:00 timestamp"}, "28 int"},
      {{"1969-12-31 23:59:59.999999 timestamp_ntz"}, "59 int"},
      {{"null timestamp"}, "null int"},
  };

  ACC_HD static int32 call_zoned(int64 timestamp, const types::TimeZone& zone) {
    return static_cast<int32>(local_moment(timestamp, zone).second_of_day() % 60);
  }
};

}  // namespace accelerant::functions
