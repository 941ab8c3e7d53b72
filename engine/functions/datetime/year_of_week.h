#pragma once

#include "functions/datetime/iso_week.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct YearOfWeek {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.YearOfWeek",
      .sql = "extract(YEAROFWEEK FROM date)",
      .text = "Returns the year that the ISO week of a date belongs to.",
  };
  using Signatures = From<types::IntType, types::DateType>;
  static constexpr Example kExamples[] = {
      {{"2005-01-01 date"}, "2004 int"},
      {{"2005-01-03 date"}, "2005 int"},
      {{"2008-12-29 date"}, "2009 int"},
      {{"null date"}, "null int"},
  };

  ACC_HD static int32 call(int32 date) { return types::civil_of_days(thursday_of_week(date)).year; }
};

}  // namespace accelerant::functions
