#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/definition.h"
#include "types/calendar.h"

namespace accelerant::functions {

struct LastDay {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.LastDay",
      .sql = "last_day(date)",
      .text = "Returns the last date of the month.",
  };
  using Signatures = UnarySame<types::DateType>;
  static constexpr Example kExamples[] = {
      {{"1994-02-01 date"}, "1994-02-28 date"},
      {{"2000-02-29 date"}, "2000-02-29 date"},
      {{"1582-10-10 date"}, "1582-10-31 date"},
      {{"null date"}, "null date"},
  };

  ACC_HD static int32 call(int32 date) {
    const types::CivilDate parts = types::civil_of_days(date);
    return wrapping_add(date, types::days_in_month(parts.year, parts.month) - parts.day);
  }
};

}  // namespace accelerant::functions
