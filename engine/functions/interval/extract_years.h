#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

struct ExtractANSIIntervalYears {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ExtractANSIIntervalYears",
      .sql = "extract(YEAR FROM interval)",
      .text = "Returns the years of an interval, beside larger units.",
  };
  using Signatures = From<types::IntType, types::YearMonthIntervalType>;
  static constexpr Example kExamples[] = {
      {{"-25 months"}, "-2 int"},
      {{"null months"}, "null int"},
  };

  ACC_HD static int32 call(int32 interval) { return interval / 12; }
};

}  // namespace accelerant::functions
