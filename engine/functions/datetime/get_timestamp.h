#pragma once

#include "functions/datetime/constant_pattern.h"
#include "functions/datetime/parse_pattern.h"
#include "functions/definition.h"

namespace accelerant::functions {

/// What is behind `to_timestamp`, `to_date` and their like, for timestamps; local ones are another header's.
struct GetTimestamp {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.GetTimestamp",
      .sql = "try_to_timestamp(str, fmt)",
      .text =
          "Parses a timestamp by a constant pattern, in the session's time zone unless the text says an offset; null "
          "in legacy mode where the text does not fit.",
      .needs_spark = true,
      .setting = kTimeParserPolicy,
  };
  using Signatures = SignatureList<Signature<types::TimestampType, types::StringType, types::StringType>>;
  static constexpr Example kExamples[] = {
      {{"2024-07-01 12:30:00 string", "yyyy-MM-dd HH:mm:ss string"}, "2024-07-01 10:30:00 timestamp"},
      {{"2024-03-31 02:30:00 string", "yyyy-MM-dd HH:mm:ss string"}, "2024-03-31 01:30:00 timestamp"},
      {{"2024-10-27 02:30:00 string", "yyyy-MM-dd HH:mm:ss string"}, "2024-10-27 00:30:00 timestamp"},
      {{"20240701123000 string", "yyyyMMddHHmmss string"}, "2024-07-01 10:30:00 timestamp"},
      {{"1 JULY 24 0:05 pm string", "d MMMM yy K:mm a string"}, "2024-07-01 10:05:00 timestamp"},
      {{"2024-07-01T12:30:00.5Z string", "yyyy-MM-dd'T'HH:mm:ss.SSSX string"}, "2024-07-01 12:30:00.5 timestamp"},
      {{"2024-07-01 +05:30 string", "yyyy-MM-dd XXX string"}, "2024-06-30 18:30:00 timestamp"},
      {{"2024-07-01 string", "yyyy-MM-dd[ HH:mm] string"}, "2024-06-30 22:00:00 timestamp"},
      {{"2024-07-01 12:30 string", "yyyy-MM-dd[ HH:mm] string"}, "2024-07-01 10:30:00 timestamp"},
      {{"2024/183 string", "yyyy/DDD string"}, "2024-06-30 22:00:00 timestamp"},
      {{"12:30 string", "HH:mm string"}, "1970-01-01 11:30:00 timestamp"},
      {{"0044 BC string", "yyyy G string"}, "-0044-12-31 23:06:32 timestamp"},
      {{"2024-7-1 string", "yyyy-MM-dd string"}, "null timestamp", kCastInvalid},
      {{"2024-02-30 string", "yyyy-MM-dd string"}, "null timestamp", kCastInvalid},
      {{"2024-07-01 12 string", "yyyy-MM-dd string"}, "null timestamp", kCastInvalid},
      {{"13 PM string", "HH a string"}, "1970-01-01 12:00:00 timestamp"},
      {{"11 PM string", "HH a string"}, "null timestamp", kCastInvalid},
      {{"+999999-01-01 string", "yyyy-MM-dd string"}, "null timestamp", kOutOfRange},
      {{"0000000000000000001 string", "d string"}, "null timestamp", kNeedsSpark},
      {{"null string", "yyyy string"}, "null timestamp"},
  };

  /// Other values than strings are given as they are.
  template <class Call>
  ACC_HD static auto bind(Call& call) {
    const auto text = call.argument("left");
    const auto pattern = call.argument("right");
    const auto mode = call.mode();
    const auto zone = call.zone();
    call.skip("dataType");
    call.skip("suggestedFuncOnFail");
    call.finish();
    if (!call.is_string(text)) call.refuse("over " + call.type_of(text).to_string());
    require_pattern(call, pattern, PatternUse::Parse);
    return call.call({text, pattern}, mode, zone);
  }

  ACC_HD static DatePattern prepare(types::StringRef pattern) { return compile_pattern(pattern, PatternUse::Parse); }

  template <class E>
  ACC_HD static int64 call_zoned(types::StringRef text, const DatePattern& pattern, const types::TimeZone& zone,
                                 E& error) {
    return parse_instant(pattern, text, zone, error);
  }
  template <class E>
  ACC_HD static int64 call_zoned(types::StringRef text, types::StringRef pattern, const types::TimeZone& zone,
                                 E& error) {
    return parse_instant(prepare(pattern), text, zone, error);
  }
};

}  // namespace accelerant::functions
