#pragma once

#include "functions/datetime/weekday.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct NextDay {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.NextDay",
      .sql = "next_day(start_date, day_of_week)",
      .text =
          "Returns the first date after another that is the named day of the week; null in legacy mode where there is "
          "no such day.",
  };
  using Signatures = SignatureList<Signature<types::DateType, types::DateType, types::StringType>>;
  static constexpr Example kExamples[] = {
      {{"2015-01-14 date", "TU string"}, "2015-01-20 date"},
      {{"2015-01-14 date", "wednesday string"}, "2015-01-21 date"},
      {{"1969-12-31 date", "Thu string"}, "1970-01-01 date"},
      {{"2015-01-14 date", "xx string"}, "null date", kCastInvalid},
      {{"2015-01-14 date", " mo string"}, "null date", kCastInvalid},
      {{"null date", "xx string"}, "null date"},
  };

  template <class E>
  ACC_HD static int32 call(int32 date, types::StringRef name, E& error) {
    const Weekday weekday = parse_weekday(name);
    error |= weekday == kNoWeekday ? static_cast<E>(kCastInvalid) : E{0};
    return next_weekday(date, weekday);
  }
};

}  // namespace accelerant::functions
