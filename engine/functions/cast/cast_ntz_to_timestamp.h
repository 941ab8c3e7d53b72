#pragma once

#include "functions/datetime/moment.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct CastNtzToTimestamp {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text =
          "Turns a local time into a timestamp: the earlier one where it happens twice, moved on where it is skipped.",
  };
  using Signatures = From<types::TimestampType, types::TimestampNtzType>;
  static constexpr Example kExamples[] = {
      {{"2024-07-01 02:00:00 timestamp_ntz"}, "2024-07-01 00:00:00 timestamp"},
      {{"2024-10-27 02:30:00 timestamp_ntz"}, "2024-10-27 00:30:00 timestamp"},
      {{"2024-03-31 02:30:00 timestamp_ntz"}, "2024-03-31 01:30:00 timestamp"},
      {{"-9223372036854775808 timestamp_ntz"}, "null timestamp", kOutOfRange},
      {{"null timestamp_ntz"}, "null timestamp"},
  };

  template <class E>
  ACC_HD static int64 call_zoned(int64 local, const types::TimeZone& zone, E& error) {
    return micros_at_local(local, zone, error);
  }
};

}  // namespace accelerant::functions
