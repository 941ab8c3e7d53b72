#pragma once

#include "functions/definition.h"
#include "types/calendar.h"

namespace accelerant::functions {

struct DayOfWeek {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.DayOfWeek",
      .sql = "dayofweek(date)",
      .text = "Returns the day of the week of a date, 1 for Sunday to 7 for Saturday.",
  };
  using Signatures = From<types::IntType, types::DateType>;
  static constexpr Example kExamples[] = {
      {{"1970-01-01 date"}, "5 int"}, {{"1969-12-28 date"}, "1 int"}, {{"1969-12-27 date"}, "7 int"},
      {{"0001-01-01 date"}, "2 int"}, {{"null date"}, "null int"},
  };

  ACC_HD static int32 call(int32 date) { return (types::weekday_of_days(date) + 1) % 7 + 1; }
};

}  // namespace accelerant::functions
