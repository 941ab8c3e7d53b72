#pragma once

#include "functions/datetime/constant_pattern.h"
#include "functions/datetime/moment.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct ToUnixTimestamp {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ToUnixTimestamp",
      .sql = "to_unix_timestamp(time)",
      .text =
          "Returns the seconds from 1970-01-01 00:00 UTC to a timestamp, or to the beginning of a date; Spark cuts "
          "towards zero.",
  };
  using Signatures = From<types::LongType, types::TimestampType, types::TimestampNtzType, types::DateType>;
  static constexpr Example kExamples[] = {
      {{"2024-07-01 00:00:00 timestamp"}, "1719792000 bigint"},
      {{"1969-12-31 23:59:58.5 timestamp"}, "-1 bigint"},
      {{"2024-07-01 00:00:00 timestamp_ntz"}, "1719792000 bigint"},
      {{"2024-07-01 date"}, "1719784800 bigint"},
      {{"2147483647 date"}, "null bigint", kOutOfRange},
      {{"null timestamp"}, "null bigint"},
  };

  /// The format says how strings are read, and nothing else.
  template <class Call>
  ACC_HD static auto bind(Call& call) {
    const auto time = call.argument("timeExp");
    const auto pattern = call.argument("format");
    const auto mode = call.mode();
    const auto zone = call.zone();
    call.finish();
    if (!call.is_string(time)) return call.call({time}, Call::kAnsi, zone);
    require_pattern(call, pattern, PatternUse::Parse);
    return call.call({time, pattern}, mode, zone);
  }

  template <class E>
  ACC_HD static int64 call_zoned(int32 date, const types::TimeZone& zone, E& error) {
    return micros_of_day(date, zone, error) / kMicrosPerSecond;
  }
  template <class E>
  ACC_HD static int64 call_zoned(int64 timestamp, const types::TimeZone&, E&) {
    return timestamp / kMicrosPerSecond;
  }
};

}  // namespace accelerant::functions
