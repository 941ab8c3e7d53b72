#pragma once

#include "functions/datetime/iso_week.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct WeekOfYear {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.WeekOfYear",
      .sql = "weekofyear(date)",
      .text =
          "Returns the ISO week of a date, 1 to 53; weeks begin on Monday and belong to the year of their Thursday.",
  };
  using Signatures = From<types::IntType, types::DateType>;
  static constexpr Example kExamples[] = {
      {{"2008-02-20 date"}, "8 int"}, {{"2005-01-01 date"}, "53 int"}, {{"2008-12-29 date"}, "1 int"},
      {{"2000-01-03 date"}, "1 int"}, {{"2147483647 date"}, "28 int"}, {{"null date"}, "null int"},
  };

  ACC_HD static int32 call(int32 date) {
    return (types::day_of_year(types::civil_of_days(thursday_of_week(date))) - 1) / 7 + 1;
  }
};

}  // namespace accelerant::functions
