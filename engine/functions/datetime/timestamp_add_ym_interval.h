#pragma once

#include "functions/datetime/zoned_addition.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct TimestampAddYMInterval {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.TimestampAddYMInterval",
      .sql = "timestamp + interval",
      .text = "Returns the timestamp of the same local time a year-month interval later.",
  };
  using Signatures =
      SignatureList<Signature<types::TimestampType, types::TimestampType, types::YearMonthIntervalType>,
                    Signature<types::TimestampNtzType, types::TimestampNtzType, types::YearMonthIntervalType>>;
  static constexpr Example kExamples[] = {
      {{"2024-01-31 12:00:00 timestamp", "1 months"}, "2024-02-29 12:00:00 timestamp"},
      {{"2024-02-29 12:00:00 timestamp", "1 months"}, "2024-03-29 12:00:00 timestamp"},
      {{"2024-02-29 01:30:00 timestamp", "1 months"}, "2024-03-29 01:30:00 timestamp"},
      {{"2024-02-29 12:00:00 timestamp_ntz", "-12 months"}, "2023-02-28 12:00:00 timestamp_ntz"},
      {{"0 timestamp", "2147483647 months"}, "null timestamp", kOutOfRange},
      {{"null timestamp", "1 months"}, "null timestamp"},
  };

  template <class E>
  ACC_HD static int64 call_zoned(int64 timestamp, int32 months, const types::TimeZone& zone, E& error) {
    return add_months(timestamp, months, zone, error);
  }
};

}  // namespace accelerant::functions
