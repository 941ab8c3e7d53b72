#pragma once

#include "functions/datetime/months.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct DateAddYMInterval {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.DateAddYMInterval",
      .sql = "date + interval",
      .text = "Returns the date a year-month interval later, on the last day of the month where it has no such day.",
  };
  using Signatures = SignatureList<Signature<types::DateType, types::DateType, types::YearMonthIntervalType>>;
  static constexpr Example kExamples[] = {
      {{"2016-08-31 date", "1 months"}, "2016-09-30 date"},
      {{"2016-02-29 date", "-12 months"}, "2015-02-28 date"},
      {{"1999-12-15 date", "2147483647 months"}, "null date", kOutOfRange},
      {{"null date", "1 months"}, "null date"},
  };

  template <class E>
  ACC_HD static int32 call(int32 date, int32 months, E& error) {
    return add_months_to_date(date, months, error);
  }
};

}  // namespace accelerant::functions
