#pragma once

#include "functions/datetime/parse_time.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct CastStringToTimestamp {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text =
          "Parses a timestamp, in the session's time zone unless it says one; null in legacy mode where the text is "
          "none.",
      .needs_spark = true,
  };
  using Signatures = From<types::TimestampType, types::StringType>;
  static constexpr Example kExamples[] = {
      {{"2024-07-01 12:30:00 string"}, "2024-07-01 10:30:00 timestamp"},
      {{"2024-07-01T1:2:3.4567891 string"}, "2024-06-30 23:02:03.456789 timestamp"},
      {{"2024-07-01 string"}, "2024-06-30 22:00:00 timestamp"},
      {{"2024 string"}, "2023-12-31 23:00:00 timestamp"},
      {{"2024-07-01 12 string"}, "2024-07-01 10:00:00 timestamp"},
      {{"2024-07-01 12:30:00Z string"}, "2024-07-01 12:30:00 timestamp"},
      {{"2024-07-01 12:30:00.5 +5:30 string"}, "2024-07-01 07:00:00.5 timestamp"},
      {{"2024-07-01 12:30:00UTC-01:02:03 string"}, "2024-07-01 13:32:03 timestamp"},
      {{"2024-03-31 02:30:00 string"}, "2024-03-31 01:30:00 timestamp"},
      {{"2024-07-01 24:00:00 string"}, "null timestamp", kCastInvalid},
      {{"2024-07-01 12:30Z string"}, "null timestamp", kCastInvalid},
      {{"2024-07-01 12:30:00+19:00 string"}, "null timestamp", kCastInvalid},
      {{"2024-07-01 12:30:00 ?? string"}, "null timestamp", kCastInvalid},
      {{"2024-07-01 12: string"}, "null timestamp", kCastInvalid},
      {{"999999-07-01 string"}, "null timestamp", kCastInvalid},
      {{"2024-07-01 12:30:00 Asia/Tokyo string"}, "null timestamp", kNeedsSpark},
      {{"12:30:00 string"}, "null timestamp", kNeedsSpark},
      {{"T25:30 string"}, "null timestamp", kCastInvalid},
      {{"null string"}, "null timestamp"},
  };

  template <class E>
  ACC_HD static int64 call_zoned(types::StringRef text, const types::TimeZone& zone, E& error) {
    const ParsedTime time = parse_timestamp(text);
    if (time.kind == ParsedTime::Kind::Invalid) {
      error |= static_cast<E>(kCastInvalid);
      return 0;
    }
    if (time.kind == ParsedTime::Kind::NeedsSpark || !time.has_date) {
      error |= static_cast<E>(kNeedsSpark);
      return 0;
    }
    const int64 second = time.kind == ParsedTime::Kind::AtOffset ? time.local.second - time.offset
                                                                 : types::second_of_local(zone, time.local.second);
    E overflow = 0;
    const int64 micros = micros_of(Moment{second, time.local.micro}, overflow);
    error |= overflow ? static_cast<E>(kCastInvalid) : E{0};
    return micros;
  }
};

}  // namespace accelerant::functions
