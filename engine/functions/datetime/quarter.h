#pragma once

#include "functions/definition.h"
#include "types/calendar.h"

namespace accelerant::functions {

struct Quarter {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Quarter",
      .sql = "quarter(date)",
      .text = "Returns the quarter of a date, 1 to 4.",
  };
  using Signatures = From<types::IntType, types::DateType>;
  static constexpr Example kExamples[] = {
      {{"1994-01-31 date"}, "1 int"}, {{"1994-03-31 date"}, "1 int"},  {{"1994-04-01 date"}, "2 int"},
      {{"1994-12-31 date"}, "4 int"}, {{"-2147483648 date"}, "2 int"}, {{"null date"}, "null int"},
  };

  ACC_HD static int32 call(int32 date) { return (types::civil_of_days(date).month + 2) / 3; }
};

}  // namespace accelerant::functions
