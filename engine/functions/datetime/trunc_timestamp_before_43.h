#pragma once

#include "functions/datetime/trunc_moment.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct TruncTimestampBefore43 {
  static constexpr Description kDescription = {
      .spark_class = "io.accelerant.TruncTimestampBefore43",
      .sql = "date_trunc(format, timestamp)",
      .text =
          "Returns the first timestamp of a unit as Spark did before 4.3: dates begin with their first instant, small "
          "units wrap around.",
  };
  using Signatures = SignatureList<Signature<types::TimestampType, types::StringType, types::TimestampType>>;
  static constexpr Example kExamples[] = {
      {{"day string", "9223372036854775807 timestamp"}, "+294247-01-09 23:00:00 timestamp"},
      {{"second string", "-9223372036854775808 timestamp"}, "9223372036854551616 timestamp"},
      {{"minute string", "1800-03-31 12:34:56 timestamp"}, "1800-03-31 12:34:32 timestamp"},
      {{"hour string", "2024-10-27 01:30:00 timestamp"}, "2024-10-27 01:00:00 timestamp"},
      {{"dd string", "2024-03-31 12:34:56 timestamp"}, "2024-03-30 23:00:00 timestamp"},
      {{"mm string", "2024-06-30 22:00:00 timestamp"}, "2024-06-30 22:00:00 timestamp"},
      {{"day string", "null timestamp"}, "null timestamp"},
  };

  template <class E>
  ACC_HD static types::Nullable<int64> call_zoned(types::StringRef format, int64 timestamp, const types::TimeZone& zone,
                                                  E& error) {
    const TruncLevel level = parse_trunc_level(format);
    if (level == TruncLevel::None) return {0, false};
    return {truncate_to_instant(timestamp, level, zone, error), true};
  }
};

}  // namespace accelerant::functions
