#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

struct ExtractANSIIntervalMinutes {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ExtractANSIIntervalMinutes",
      .sql = "extract(MINUTE FROM interval)",
      .text = "Returns the minutes of an interval, beside larger units.",
  };
  using Signatures = From<types::ByteType, types::DayTimeIntervalType>;
  static constexpr Example kExamples[] = {
      {{"3660000000 micros"}, "1 tinyint"},
      {{"null micros"}, "null tinyint"},
  };

  ACC_HD static int8 call(int64 interval) { return static_cast<int8>(interval / 60000000 % 60); }
};

}  // namespace accelerant::functions
