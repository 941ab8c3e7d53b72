#pragma once

#include "functions/datetime/elapsed.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct SubtractTimestamps {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.SubtractTimestamps",
      .sql = "timestamp1 - timestamp2",
      .text = "Returns the time between two local times as a day-time interval.",
  };
  using Signatures =
      SignatureList<Signature<types::DayTimeIntervalType, types::TimestampType, types::TimestampType>,
                    Signature<types::DayTimeIntervalType, types::TimestampNtzType, types::TimestampNtzType>>;
  static constexpr Example kExamples[] = {
      {{"2024-03-31 01:00:00 timestamp", "2024-03-31 00:00:00 timestamp"}, "7200000000 micros"},
      {{"2024-03-31 01:00:00 timestamp_ntz", "2024-03-31 00:00:00.000001 timestamp_ntz"}, "3599999999 micros"},
      {{"9223372036854775807 timestamp", "-1 timestamp"}, "null micros", kOutOfRange},
      {{"null timestamp", "0 timestamp"}, "null micros"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    call.require_unset("legacyInterval");
    const auto arguments = call.arguments();
    const auto zone = call.zone();
    call.finish();
    return call.call(arguments, Call::kAnsi, zone);
  }

  template <class E>
  ACC_HD static int64 call_zoned(int64 end, int64 start, const types::TimeZone& zone, E& error) {
    return micros_of(elapsed(local_moment(start, zone), local_moment(end, zone)), error);
  }
};

}  // namespace accelerant::functions
