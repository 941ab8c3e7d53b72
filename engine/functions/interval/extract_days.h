#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

struct ExtractANSIIntervalDays {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ExtractANSIIntervalDays",
      .sql = "extract(DAY FROM interval)",
      .text = "Returns the days of an interval, beside larger units.",
  };
  using Signatures = From<types::IntType, types::DayTimeIntervalType>;
  static constexpr Example kExamples[] = {
      {{"-172800000001 micros"}, "-2 int"},
      {{"null micros"}, "null int"},
  };

  ACC_HD static int32 call(int64 interval) { return static_cast<int32>(interval / 86400000000); }
};

}  // namespace accelerant::functions
