#pragma once

#include "functions/datetime/trunc_moment.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct TruncTimestamp {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.TruncTimestamp",
      .sql = "date_trunc(format, timestamp)",
      .text =
          "Returns the first timestamp of the year, month, hour or other unit in the time zone; null for another "
          "format.",
  };
  using Signatures = SignatureList<Signature<types::TimestampType, types::StringType, types::TimestampType>>;
  static constexpr Example kExamples[] = {
      {{"microsecond string", "2024-03-31 12:34:56.789012 timestamp"}, "2024-03-31 12:34:56.789012 timestamp"},
      {{"MILLISECOND string", "1960-03-31 12:34:56.789012 timestamp"}, "1960-03-31 12:34:56.789 timestamp"},
      {{"second string", "1960-03-31 12:34:56.789012 timestamp"}, "1960-03-31 12:34:56 timestamp"},
      {{"minute string", "1800-03-31 12:34:56 timestamp"}, "1800-03-31 12:34:32 timestamp"},
      {{"hour string", "1800-03-31 12:34:56 timestamp"}, "1800-03-31 12:06:32 timestamp"},
      {{"hour string", "2024-10-27 01:30:00 timestamp"}, "2024-10-27 01:00:00 timestamp"},
      {{"hour string", "2024-10-27 00:30:00 timestamp"}, "2024-10-27 00:00:00 timestamp"},
      {{"dd string", "2024-03-31 12:34:56 timestamp"}, "2024-03-30 23:00:00 timestamp"},
      {{"week string", "2024-03-31 12:34:56 timestamp"}, "2024-03-24 23:00:00 timestamp"},
      {{"mm string", "2024-06-30 22:00:00 timestamp"}, "2024-06-30 22:00:00 timestamp"},
      {{"quarter string", "2024-06-30 21:59:59 timestamp"}, "2024-03-31 22:00:00 timestamp"},
      {{"yy string", "2024-06-30 22:00:00 timestamp"}, "2023-12-31 23:00:00 timestamp"},
      {{"century string", "2024-06-30 22:00:00 timestamp"}, "null timestamp"},
      {{"day string", "-9223372036854775808 timestamp"}, "null timestamp", kOutOfRange},
      {{"day string", "9223372036854775807 timestamp"}, "null timestamp", kOutOfRange},
      {{"second string", "-9223372036854775808 timestamp"}, "null timestamp", kOutOfRange},
      {{"day string", "null timestamp"}, "null timestamp"},
  };

  /// Spark's way depends on its version; what 4.2 does is not known.
  template <class Call>
  ACC_HD static auto bind(Call& call) {
    const auto version = call.spark_version();
    const bool is_before_43 = version.starts_with("4.0") || version.starts_with("4.1");
    if (!is_before_43 && !version.starts_with("4.3")) call.refuse("by another version of Spark");
    return bind_truncation(call, is_before_43 ? "io.accelerant.TruncTimestampBefore43" : kDescription.spark_class);
  }

  template <class E>
  ACC_HD static types::Nullable<int64> call_zoned(types::StringRef format, int64 timestamp, const types::TimeZone& zone,
                                                  E& error) {
    const TruncLevel level = parse_trunc_level(format);
    if (level == TruncLevel::None) return {0, false};
    return {truncate_locally(timestamp, level, zone, error), true};
  }
};

}  // namespace accelerant::functions
