#pragma once

#include "functions/datetime/moment.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct CastDateToTimestamp {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Cast",
      .sql = "CAST(expr AS type)",
      .text = "Turns a date into the first timestamp of its day.",
  };
  using Signatures = SignatureList<Signature<types::TimestampType, types::DateType>,
                                   Signature<types::TimestampNtzType, types::DateType>>;
  static constexpr Example kExamples[] = {
      {{"2024-07-01 date"}, "2024-06-30 22:00:00 timestamp"},
      {{"2024-07-01 date"}, "2024-07-01 00:00:00 timestamp_ntz"},
      {{"1800-01-01 date"}, "1799-12-31 23:06:32 timestamp"},
      {{"2147483647 date"}, "null timestamp", kOutOfRange},
      {{"null date"}, "null timestamp_ntz"},
  };

  template <class E>
  ACC_HD static int64 call_zoned(int32 date, const types::TimeZone& zone, E& error) {
    return micros_of_day(date, zone, error);
  }
};

}  // namespace accelerant::functions
