#pragma once

#include "functions/definition.h"
#include "types/calendar.h"

namespace accelerant::functions {

struct WeekDay {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.WeekDay",
      .sql = "weekday(date)",
      .text = "Returns the day of the week of a date, 0 for Monday to 6 for Sunday.",
  };
  using Signatures = From<types::IntType, types::DateType>;
  static constexpr Example kExamples[] = {
      {{"1970-01-01 date"}, "3 int"}, {{"1969-12-28 date"}, "6 int"}, {{"1969-12-29 date"}, "0 int"},
      {{"0001-01-01 date"}, "0 int"}, {{"null date"}, "null int"},
  };

  ACC_HD static int32 call(int32 date) { return types::weekday_of_days(date); }
};

}  // namespace accelerant::functions
