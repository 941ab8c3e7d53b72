#pragma once

#include "functions/datetime/moment.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct SecondWithFraction {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.SecondWithFraction",
      .sql = "extract(SECOND FROM timestamp)",
      .text = "Returns the second of a timestamp with microseconds.",
  };
  using Signatures = From<types::DecimalType, types::TimestampType, types::TimestampNtzType>;
  static constexpr Example kExamples[] = {
      {{"2024-01-01 12:58:59.000001 timestamp"}, "59.000001 decimal(8,6)"},
      {{"1800-01-01 00:00:00.5 timestamp"}, "28.500000 decimal(8,6)"},
      {{"1969-12-31 23:59:59.999999 timestamp_ntz"}, "59.999999 decimal(8,6)"},
      {{"null timestamp"}, "null decimal(8,6)"},
  };

  ACC_HD static int64 call_zoned(int64 timestamp, const types::TimeZone& zone) {
    const Moment local = local_moment(timestamp, zone);
    return local.second_of_day() % 60 * kMicrosPerSecond + local.micro;
  }
};

}  // namespace accelerant::functions
