#pragma once

#include "functions/definition.h"
#include "types/calendar.h"

namespace accelerant::functions {

struct DayOfYear {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.DayOfYear",
      .sql = "dayofyear(date)",
      .text = "Returns the day of the year of a date, 1 to 366.",
  };
  using Signatures = From<types::IntType, types::DateType>;
  static constexpr Example kExamples[] = {
      {{"1994-01-01 date"}, "1 int"},   {{"1994-03-01 date"}, "60 int"},  {{"2000-03-01 date"}, "61 int"},
      {{"2000-12-31 date"}, "366 int"}, {{"1900-12-31 date"}, "365 int"}, {{"null date"}, "null int"},
  };

  ACC_HD static int32 call(int32 date) { return types::day_of_year(types::civil_of_days(date)); }
};

}  // namespace accelerant::functions
