#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

struct ExtractANSIIntervalHours {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ExtractANSIIntervalHours",
      .sql = "extract(HOUR FROM interval)",
      .text = "Returns the hours of an interval, beside larger units.",
  };
  using Signatures = From<types::ByteType, types::DayTimeIntervalType>;
  static constexpr Example kExamples[] = {
      {{"-90000000001 micros"}, "-1 tinyint"},
      {{"null micros"}, "null tinyint"},
  };

  ACC_HD static int8 call(int64 interval) { return static_cast<int8>(interval / 3600000000 % 24); }
};

}  // namespace accelerant::functions
