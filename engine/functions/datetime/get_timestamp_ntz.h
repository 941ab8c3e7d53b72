#pragma once

#include "functions/datetime/get_timestamp.h"

namespace accelerant::functions {

/// The same for local timestamps.
struct GetTimestampNtz {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.GetTimestamp",
      .sql = "(to_timestamp_ntz(str, fmt))",
      .text =
          "Parses a local timestamp by a constant pattern, whatever offset the text says; null in legacy mode where "
          "the "
          "text does not fit.",
      .needs_spark = true,
      .setting = kTimeParserPolicy,
  };
  using Signatures = SignatureList<Signature<types::TimestampNtzType, types::StringType, types::StringType>>;
  static constexpr Example kExamples[] = {
      {{"2024-03-31 02:30:00 string", "yyyy-MM-dd HH:mm:ss string"}, "2024-03-31 02:30:00 timestamp_ntz"},
      {{"01.07.2024 12:30 -0800 string", "dd.MM.yyyy HH:mm Z string"}, "2024-07-01 12:30:00 timestamp_ntz"},
      {{"2024-07-01 string", "dd.MM.yyyy string"}, "null timestamp_ntz", kCastInvalid},
      {{"1 +19:00 string", "H XXX string"}, "null timestamp_ntz", kNeedsSpark},
      {{"+999999-01-01 string", "yyyy-MM-dd string"}, "null timestamp_ntz", kOutOfRange},
      {{"null string", "yyyy string"}, "null timestamp_ntz"},
  };

  ACC_HD static DatePattern prepare(types::StringRef pattern) { return GetTimestamp::prepare(pattern); }

  template <class E>
  ACC_HD static int64 call(types::StringRef text, const DatePattern& pattern, E& error) {
    return parse_local(pattern, text, error);
  }
  template <class E>
  ACC_HD static int64 call(types::StringRef text, types::StringRef pattern, E& error) {
    return parse_local(prepare(pattern), text, error);
  }
};

}  // namespace accelerant::functions
