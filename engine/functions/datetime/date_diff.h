#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct DateDiff {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.DateDiff",
      .sql = "datediff(end_date, start_date)",
      .text = "Returns the days from the second date to the first; wraps around.",
  };
  using Signatures = BinaryResult<types::IntType, types::DateType>;
  static constexpr Example kExamples[] = {
      {{"2009-07-31 date", "2009-07-30 date"}, "1 int"},
      {{"2009-07-30 date", "2009-07-31 date"}, "-1 int"},
      {{"2147483647 date", "-1 date"}, "-2147483648 int"},
      {{"null date", "2009-07-31 date"}, "null int"},
  };

  ACC_HD static int32 call(int32 end, int32 start) { return wrapping_subtract(end, start); }
};

}  // namespace accelerant::functions
