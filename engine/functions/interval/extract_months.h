#pragma once

#include "functions/definition.h"

namespace accelerant::functions {

struct ExtractANSIIntervalMonths {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.ExtractANSIIntervalMonths",
      .sql = "extract(MONTH FROM interval)",
      .text = "Returns the months of an interval, beside larger units.",
  };
  using Signatures = From<types::ByteType, types::YearMonthIntervalType>;
  static constexpr Example kExamples[] = {
      {{"-25 months"}, "-1 tinyint"},
      {{"null months"}, "null tinyint"},
  };

  ACC_HD static int8 call(int32 interval) { return static_cast<int8>(interval % 12); }
};

}  // namespace accelerant::functions
