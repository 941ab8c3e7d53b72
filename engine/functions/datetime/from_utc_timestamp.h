#pragma once

#include "functions/datetime/moment.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct FromUTCTimestamp {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.FromUTCTimestamp",
      .sql = "from_utc_timestamp(timestamp, 'Europe/Berlin')",
      .text = "Returns the timestamp whose UTC time is the local time in the zone.",
  };
  using Signatures = UnarySame<types::TimestampType>;
  static constexpr Example kExamples[] = {
      {{"2024-01-01 00:00:00 timestamp"}, "2024-01-01 01:00:00 timestamp"},
      {{"2024-03-31 01:00:00 timestamp"}, "2024-03-31 03:00:00 timestamp"},
      {{"9223372036854775807 timestamp"}, "null timestamp", kOutOfRange},
      {{"null timestamp"}, "null timestamp"},
  };

  /// The zone is a literal.
  template <class Call>
  ACC_HD static auto bind(Call& call) {
    const auto timestamp = call.argument("left");
    const auto zone = call.zone_argument("right");
    call.finish();
    return call.call({timestamp}, Call::kAnsi, zone);
  }

  template <class E>
  ACC_HD static int64 call_zoned(int64 timestamp, const types::TimeZone& zone, E& error) {
    return micros_of(local_moment(timestamp, zone), error);
  }
};

}  // namespace accelerant::functions
