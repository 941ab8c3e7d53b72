#pragma once

#include "base/macros.h"
#include "types/integers.h"

namespace accelerant::types {

/// A day of the proleptic Gregorian calendar, as java.time.LocalDate has it.
struct CivilDate {
  int32 year;
  int32 month;  ///< 1 to 12
  int32 day;    ///< 1 to 31
};

/// Returns the date that is `days` after 1970-01-01, for years below a billion in magnitude (H. Hinnant,
/// "chrono-compatible low-level date algorithms").
ACC_HD constexpr CivilDate civil_of_days(int64 days) {
  const int64 shifted = days + 719468;  // days since 0000-03-01
  const int64 era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const int32 day_of_era = static_cast<int32>(shifted - era * 146097);
  const int32 year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int32 day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int32 month = (5 * day_of_year + 2) / 153;  // from March
  const int32 day = day_of_year - (153 * month + 2) / 5 + 1;
  const int64 year = year_of_era + era * 400 + (month >= 10);
  return {static_cast<int32>(year), month < 10 ? month + 3 : month - 9, day};
}

/// Returns the days from 1970-01-01 to a date of any year below a billion in magnitude; the reverse of civil_of_days.
ACC_HD constexpr int64 days_of_civil(CivilDate date) {
  const int64 year = int64{date.year} - (date.month <= 2);  // from March
  const int64 era = (year >= 0 ? year : year - 399) / 400;
  const int64 year_of_era = year - era * 400;
  const int32 month = date.month > 2 ? date.month - 3 : date.month + 9;
  const int64 day_of_year = (153 * month + 2) / 5 + date.day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

/// Says whether a year has 366 days.
ACC_HD constexpr bool is_leap(int32 year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

/// Returns the number of days of a month, 28 to 31.
ACC_HD constexpr int32 days_in_month(int32 year, int32 month) {
  return month == 2 ? 28 + is_leap(year) : 30 + ((month + (month >> 3)) & 1);
}

/// Returns the day of the year, 1 to 366.
ACC_HD constexpr int32 day_of_year(CivilDate date) {
  const int32 first_of_month = (367 * date.month - 362) / 12;  // as if February had 30 days
  return first_of_month + date.day - (date.month > 2 ? 2 - is_leap(date.year) : 0);
}

/// Returns the date that many months later, on the month's last day where it has no such day
/// (java.time.LocalDate.plusMonths). The year must stay below a billion in magnitude.
ACC_HD constexpr CivilDate plus_months(CivilDate date, int64 months) {
  const int64 month_count = int64{date.year} * 12 + (date.month - 1) + months;
  const int64 year = (month_count >= 0 ? month_count : month_count - 11) / 12;
  CivilDate result{static_cast<int32>(year), static_cast<int32>(month_count - year * 12) + 1, date.day};
  const int32 last = days_in_month(result.year, result.month);
  if (result.day > last) result.day = last;
  return result;
}

/// Returns the quotient rounded towards minus infinity; `divisor` is positive.
ACC_HD constexpr int64 floor_divide(int64 value, int64 divisor) { return value / divisor - (value % divisor < 0); }

/// Returns the day of the week, 0 for Monday to 6 for Sunday.
ACC_HD constexpr int32 weekday_of_days(int32 days) {
  const int32 since_thursday = days % 7;  // 1970-01-01 was a Thursday
  return (since_thursday + 10) % 7;
}

}  // namespace accelerant::types
