#pragma once

#include "functions/datetime/print_time.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct CastTimestampToString {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text = "Prints a timestamp in the session's time zone, or a local one.",
  };
  using Signatures = From<types::StringType, types::TimestampType, types::TimestampNtzType>;
  static constexpr Example kExamples[] = {
      {{"2024-07-01 10:30:00 timestamp"}, "2024-07-01 12:30:00 string"},
      {{"2024-07-01 10:30:00.0501 timestamp_ntz"}, "2024-07-01 10:30:00.0501 string"},
      {{"1800-01-01 00:00:00.000001 timestamp"}, "1800-01-01 00:53:28.000001 string"},
      {{"-9223372036854775808 timestamp_ntz"}, "-290308-12-21 19:59:05.224192 string"},
      {{"9223372036854775807 timestamp_ntz"}, "+294247-01-10 04:00:54.775807 string"},
      {{"null timestamp"}, "null string"},
  };

  ACC_HD static types::Text<32> call_zoned(int64 timestamp, const types::TimeZone& zone) {
    const Moment local = local_moment(timestamp, zone);
    types::Text<32> text;
    add_date(text, local.day());
    text.add(' ');
    add_time_of_day(text, static_cast<uint32>(local.second_of_day()), static_cast<uint32>(local.micro));
    return text;
  }
};

}  // namespace accelerant::functions
