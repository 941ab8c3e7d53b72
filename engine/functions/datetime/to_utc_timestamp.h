#pragma once

#include "functions/datetime/moment.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct ToUTCTimestamp {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ToUTCTimestamp",
      .sql = "to_utc_timestamp(timestamp, 'Europe/Berlin')",
      .text = "Returns the timestamp whose local time in the zone is the UTC time.",
  };
  using Signatures = UnarySame<types::TimestampType>;
  static constexpr Example kExamples[] = {
      {{"2024-01-01 01:00:00 timestamp"}, "2024-01-01 00:00:00 timestamp"},
      {{"2024-03-31 02:30:00 timestamp"}, "2024-03-31 01:30:00 timestamp"},
      {{"2024-10-27 02:30:00 timestamp"}, "2024-10-27 00:30:00 timestamp"},
      {{"-9223372036854775808 timestamp"}, "null timestamp", kOutOfRange},
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
    return micros_at_local(timestamp, zone, error);
  }
};

}  // namespace accelerant::functions
