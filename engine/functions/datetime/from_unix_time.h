#pragma once

#include "functions/datetime/date_format.h"

namespace accelerant::functions {

struct FromUnixTime {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.FromUnixTime",
      .sql = "from_unixtime(seconds, fmt)",
      .text =
          "Prints the timestamp so many seconds after 1970-01-01 00:00 UTC by a constant pattern; Spark wraps around.",
      .setting = kTimeParserPolicy,
  };
  using Signatures = SignatureList<Signature<types::StringType, types::LongType, types::StringType>>;
  static constexpr Example kExamples[] = {
      {{"0 bigint", "yyyy-MM-dd HH:mm:ss string"}, "1970-01-01 01:00:00 string"},
      {{"-1 bigint", "d MMM yyyy string"}, "1 Jan 1970 string"},
      {{"9223372036854775807 bigint", "yyyy-MM-dd HH:mm:ss.S string"}, "1970-01-01 00:59:59.0 string"},
      {{"null bigint", "yyyy string"}, "null string"},
  };

  template <class Call>
  ACC_HD static auto bind(Call& call) {
    const auto seconds = call.argument("sec");
    const auto pattern = call.argument("format");
    const auto zone = call.zone();
    call.finish();
    require_pattern(call, pattern, PatternUse::Print);
    return call.call({seconds, pattern}, Call::kAnsi, zone);
  }

  ACC_HD static DatePattern prepare(types::StringRef pattern) { return DateFormat::prepare(pattern); }

  template <class Pattern>
  ACC_HD static PatternText call_zoned(int64 seconds, const Pattern& pattern, const types::TimeZone& zone) {
    const auto micros = static_cast<int64>(static_cast<uint64>(seconds) * static_cast<uint64>(kMicrosPerSecond));
    return DateFormat::call_zoned(micros, pattern, zone);
  }
};

}  // namespace accelerant::functions
