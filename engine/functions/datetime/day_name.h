#pragma once

#include "functions/datetime/date_names.h"
#include "functions/definition.h"
#include "types/calendar.h"
#include "types/text.h"

namespace accelerant::functions {

struct DayName {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.DayName",
      .sql = "dayname(date)",
      .text = "Returns the first three letters of the day of the week.",
  };
  using Signatures = From<types::StringType, types::DateType>;
  static constexpr Example kExamples[] = {
      {{"2024-07-01 date"}, "Mon string"},
      {{"1969-12-28 date"}, "Sun string"},
      {{"null date"}, "null string"},
  };

  ACC_HD static types::Text<3> call(int32 date) {
    types::Text<3> text;
    text.add(name_of_weekday(types::weekday_of_days(date), false));
    return text;
  }
};

}  // namespace accelerant::functions
