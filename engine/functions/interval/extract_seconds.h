#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

struct ExtractANSIIntervalSeconds {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ExtractANSIIntervalSeconds",
      .sql = "extract(SECOND FROM interval)",
      .text = "Returns the seconds of an interval, beside larger units.",
  };
  using Signatures = From<types::DecimalType, types::DayTimeIntervalType>;
  static constexpr Example kExamples[] = {
      {{"-61000001 micros"}, "-1.000001 decimal(8,6)"},
      {{"null micros"}, "null decimal(8,6)"},
  };

  ACC_HD static int64 call(int64 interval) { return interval % 60000000; }
};

}  // namespace accelerant::functions
