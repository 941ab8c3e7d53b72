#pragma once

#include "functions/datetime/moment.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct CastTimestampToDate {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text = "Turns a timestamp into the date in its time zone.",
  };
  using Signatures = From<types::DateType, types::TimestampType, types::TimestampNtzType>;
  static constexpr Example kExamples[] = {
      {{"2024-06-30 22:00:00 timestamp"}, "2024-07-01 date"},
      {{"2024-06-30 21:59:59.999999 timestamp"}, "2024-06-30 date"},
      {{"1969-12-31 23:59:59.999999 timestamp_ntz"}, "1969-12-31 date"},
      {{"-9223372036854775808 timestamp"}, "-106751992 date"},
      {{"null timestamp"}, "null date"},
  };

  ACC_HD static int32 call_zoned(int64 timestamp, const types::TimeZone& zone) {
    return static_cast<int32>(local_moment(timestamp, zone).day());
  }
};

}  // namespace accelerant::functions
