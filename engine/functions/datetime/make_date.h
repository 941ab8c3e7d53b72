#pragma once

#include "functions/definition.h"
#include "types/calendar.h"

namespace accelerant::functions {

struct MakeDate {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.MakeDate",
      .sql = "make_date(year, month, day)",
      .text = "Returns the date of a year, a month and a day; null in legacy mode where there is none.",
  };
  using Signatures = SignatureList<Signature<types::DateType, types::IntType, types::IntType, types::IntType>>;
  static constexpr Example kExamples[] = {
      {{"2013 int", "7 int", "15 int"}, "2013-07-15 date"},
      {{"2000 int", "2 int", "29 int"}, "2000-02-29 date"},
      {{"1900 int", "2 int", "29 int"}, "null date", kCastInvalid},
      {{"2019 int", "13 int", "1 int"}, "null date", kCastInvalid},
      {{"2019 int", "6 int", "0 int"}, "null date", kCastInvalid},
      {{"1000000000 int", "1 int", "1 int"}, "null date", kCastInvalid},
      {{"999999999 int", "1 int", "1 int"}, "null date", kOutOfRange},
      {{"2019 int", "null int", "1 int"}, "null date"},
  };

  template <class E>
  ACC_HD static int32 call(int32 year, int32 month, int32 day, E& error) {
    if (!is_date(year, month, day)) {
      error |= static_cast<E>(kCastInvalid);
      return 0;
    }
    const int64 days = types::days_of_civil({year, month, day});
    error |= days != static_cast<int32>(days) ? static_cast<E>(kOutOfRange) : E{0};
    return static_cast<int32>(days);
  }

 private:
  /// As java.time.LocalDate.of sees it.
  ACC_HD static bool is_date(int32 year, int32 month, int32 day) {
    constexpr int32 kMaxYear = 999999999;
    if (year < -kMaxYear || year > kMaxYear || month < 1 || month > 12) return false;
    return day >= 1 && day <= types::days_in_month(year, month);
  }
};

}  // namespace accelerant::functions
