#pragma once

#include "functions/datetime/get_timestamp.h"

namespace accelerant::functions {

/// `to_unix_timestamp` of strings.
struct ToUnixTimestampOfText {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ToUnixTimestamp",
      .sql = "(to_unix_timestamp(str, fmt))",
      .text =
          "Parses a timestamp by a constant pattern and returns its seconds from 1970-01-01 00:00 UTC, cut towards "
          "zero; null in legacy mode where the text does not fit.",
      .needs_spark = true,
      .setting = kTimeParserPolicy,
  };
  using Signatures = SignatureList<Signature<types::LongType, types::StringType, types::StringType>>;
  static constexpr Example kExamples[] = {
      {{"2024-07-01 12:30:00 string", "yyyy-MM-dd HH:mm:ss string"}, "1719829800 bigint"},
      {{"1970-01-01 00:59:58.5 string", "yyyy-MM-dd HH:mm:ss.S string"}, "-1 bigint"},
      {{"2024-07-01 string", "yyyy-MM-dd HH:mm:ss string"}, "null bigint", kCastInvalid},
      {{"null string", "yyyy string"}, "null bigint"},
  };

  ACC_HD static DatePattern prepare(types::StringRef pattern) { return GetTimestamp::prepare(pattern); }

  template <class Pattern, class E>
  ACC_HD static int64 call_zoned(types::StringRef text, const Pattern& pattern, const types::TimeZone& zone, E& error) {
    return GetTimestamp::call_zoned(text, pattern, zone, error) / kMicrosPerSecond;
  }
};

}  // namespace accelerant::functions
