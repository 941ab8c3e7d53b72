#pragma once

#include "functions/definition.h"
#include "types/calendar.h"

namespace accelerant::functions {

struct DayOfMonth {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.DayOfMonth",
      .sql = "day(date)",
      .text = "Returns the day of the month of a date.",
  };
  using Signatures = From<types::IntType, types::DateType>;
  static constexpr Example kExamples[] = {
      {{"1994-01-31 date"}, "31 int"}, {{"2000-02-29 date"}, "29 int"}, {{"-2147483648 date"}, "23 int"},
      {{"0001-01-01 date"}, "1 int"},  {{"null date"}, "null int"},
  };

  ACC_HD static int32 call(int32 date) { return types::civil_of_days(date).day; }
};

}  // namespace accelerant::functions
