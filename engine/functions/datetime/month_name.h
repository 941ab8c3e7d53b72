#pragma once

#include "functions/datetime/date_names.h"
#include "functions/definition.h"
#include "types/calendar.h"
#include "types/text.h"

namespace accelerant::functions {

struct MonthName {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.MonthName",
      .sql = "monthname(date)",
      .text = "Returns the first three letters of the month.",
  };
  using Signatures = From<types::StringType, types::DateType>;
  static constexpr Example kExamples[] = {
      {{"2024-07-01 date"}, "Jul string"},
      {{"-0044-03-15 date"}, "Mar string"},
      {{"null date"}, "null string"},
  };

  ACC_HD static types::Text<3> call(int32 date) {
    types::Text<3> text;
    text.add(name_of_month(types::civil_of_days(date).month, false));
    return text;
  }
};

}  // namespace accelerant::functions
