#pragma once

#include "functions/datetime/moment.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct CastTimestampToNtz {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text = "Turns a timestamp into the local time in its time zone.",
  };
  using Signatures = From<types::TimestampNtzType, types::TimestampType>;
  static constexpr Example kExamples[] = {
      {{"2024-07-01 00:00:00 timestamp"}, "2024-07-01 02:00:00 timestamp_ntz"},
      {{"9223372036854775807 timestamp"}, "null timestamp_ntz", kOutOfRange},
      {{"null timestamp"}, "null timestamp_ntz"},
  };

  template <class E>
  ACC_HD static int64 call_zoned(int64 timestamp, const types::TimeZone& zone, E& error) {
    return micros_of(local_moment(timestamp, zone), error);
  }
};

}  // namespace accelerant::functions
