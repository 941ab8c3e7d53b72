#pragma once

#include "types/calendar.h"

#include <cstdint>

namespace accelerant::io {

/// The first day that the hybrid calendar counts by Gregory's rules: 1582-10-15.
inline constexpr int64_t kFirstGregorianDay = -141'427;
/// From here on both calendars, and Java's two libraries in all their time zones, count microseconds alike: 1900.
inline constexpr int64_t kFirstSafeMicros = -2'208'988'800'000'000;

/// Returns the proleptic Gregorian day of the date that a day of the hybrid calendar has, as Spark's
/// RebaseDateTime.rebaseJulianToGregorianDays.
inline int64_t day_of_hybrid(int64_t day) {
  if (day >= kFirstGregorianDay) return day;
  const auto floor_of = [](int64_t value, int64_t by) { return value / by - (value % by < 0); };
  // Days and years from 4801 BC on begin with March, so that a leap day ends its year.
  const int64_t count = day + 2'440'588 + 32'082;
  const int64_t year = floor_of(4 * count + 3, 1461);
  const int64_t day_of_year = count - floor_of(1461 * year, 4);
  const int64_t month = (5 * day_of_year + 2) / 153;
  const auto day_of_month = static_cast<int32_t>(day_of_year - (153 * month + 2) / 5) + 1;
  return types::days_of_civil({static_cast<int32_t>(year - 4800 + month / 10),
                               static_cast<int32_t>(month + 3 - 12 * (month / 10)), day_of_month});
}

}  // namespace accelerant::io
