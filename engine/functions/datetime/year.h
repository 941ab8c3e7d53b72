#pragma once

#include "functions/definition.h"
#include "types/calendar.h"

namespace accelerant::functions {

struct Year {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.Year",
      .sql = "year(date)",
      .text = "Returns the year of a date.",
  };
  using Signatures = From<types::IntType, types::DateType>;
  static constexpr Example kExamples[] = {
      {{"1994-01-31 date"}, "1994 int"}, {{"2000-02-29 date"}, "2000 int"}, {{"-2147483648 date"}, "-5877641 int"},
      {{"0001-01-01 date"}, "0001 int"}, {{"null date"}, "null int"},
  };

  ACC_HD static int32 call(int32 date) { return types::civil_of_days(date).year; }
};

}  // namespace accelerant::functions
