#pragma once

#include "functions/datetime/zoned_addition.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct TimestampAddInterval {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.TimestampAddInterval",
      .sql = "timestamp + interval",
      .text = "Returns the timestamp a day-time interval later: whole days by local time, the rest by elapsed time.",
  };
  using Signatures =
      SignatureList<Signature<types::TimestampType, types::TimestampType, types::DayTimeIntervalType>,
                    Signature<types::TimestampNtzType, types::TimestampNtzType, types::DayTimeIntervalType>>;
  static constexpr Example kExamples[] = {
      {{"2024-03-30 12:00:00 timestamp", "86400000000 micros"}, "2024-03-31 11:00:00 timestamp"},
      {{"2024-03-30 01:30:00 timestamp", "86400000000 micros"}, "2024-03-31 01:30:00 timestamp"},
      {{"2024-03-30 12:00:00 timestamp", "86399999999 micros"}, "2024-03-31 11:59:59.999999 timestamp"},
      {{"2024-03-30 12:00:00 timestamp_ntz", "-86400000001 micros"}, "2024-03-29 11:59:59.999999 timestamp_ntz"},
      {{"9223372036854775807 timestamp", "1 micros"}, "null timestamp", kOutOfRange},
      {{"null timestamp", "1 micros"}, "null timestamp"},
  };

  template <class E>
  ACC_HD static int64 call_zoned(int64 timestamp, int64 interval, const types::TimeZone& zone, E& error) {
    return add_day_time(timestamp, interval, zone, error);
  }
};

}  // namespace accelerant::functions
