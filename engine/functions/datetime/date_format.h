#pragma once

#include "functions/datetime/constant_pattern.h"
#include "functions/datetime/print_pattern.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct DateFormat {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.DateFormatClass",
      .sql = "date_format(timestamp, fmt)",
      .text = "Prints a timestamp in the session's time zone by a constant pattern, without names of zones.",
      .setting = kTimeParserPolicy,
  };
  using Signatures = SignatureList<Signature<types::StringType, types::TimestampType, types::StringType>>;
  static constexpr Example kExamples[] = {
      {{"2024-07-01 10:30:00 timestamp", "yyyy-MM string"}, "2024-07 string"},
      {{"2024-07-01 10:30:00 timestamp", "EEEE, d MMMM yyyy, hh:mm a string"}, "Monday, 1 July 2024, 12:30 PM string"},
      {{"2024-07-01 10:30:00 timestamp", "EEE d.M.yy QQQ D string"}, "Mon 1.7.24 Q3 183 string"},
      {{"2024-07-01 10:30:00.0456 timestamp", "HH:mm:ss.SSS string"}, "12:30:00.045 string"},
      {{"2024-07-01 10:30:00 timestamp", "yyyy-MM-dd'T'HH:mm:ssXXX string"}, "2024-07-01T12:30:00+02:00 string"},
      {{"2024-01-01 00:00:00 timestamp", "[k K] Z xx X string"}, "1 1 +0100 +0100 +01 string"},
      {{"1800-01-01 00:00:00 timestamp", "X XX XXX XXXXX string"}, "+0053 +0053 +00:53 +00:53:28 string"},
      {{"-0043-06-01 00:00:00 timestamp", "yyyy G string"}, "0044 BC string"},
      {{"-0043-06-01 00:00:00 timestamp", "yyyy yy string"}, "-0043 43 string"},
      {{"9223372036854775807 timestamp", "yyyy y string"}, "+294247 294247 string"},
      {{"2024-07-01 10:30:00 timestamp", " string"}, " string"},
      {{"null timestamp", "yyyy string"}, "null string"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    const auto time = call.argument("left");
    const auto pattern = call.argument("right");
    const auto zone = call.zone();
    call.finish();
    require_pattern(call, pattern, PatternUse::Print);
    return call.call({time, pattern}, Call::kAnsi, zone);
  }

  ACC_HD static DatePattern prepare(types::StringRef pattern) { return compile_pattern(pattern, PatternUse::Print); }

  ACC_HD static PatternText call_zoned(int64 timestamp, const DatePattern& pattern, const types::TimeZone& zone) {
    return print_by_pattern(pattern, timestamp, zone);
  }
  ACC_HD static PatternText call_zoned(int64 timestamp, types::StringRef pattern, const types::TimeZone& zone) {
    return print_by_pattern(prepare(pattern), timestamp, zone);
  }
};

}  // namespace accelerant::functions
