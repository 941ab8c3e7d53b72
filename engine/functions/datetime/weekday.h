#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/datetime/keyword.h"

namespace accelerant::functions {

/// A day of the week counted from 1970-01-01, a Thursday: 0 for Thursday to 6 for Wednesday.
using Weekday = int32;

inline constexpr Weekday kMonday = 4;
inline constexpr Weekday kNoWeekday = -1;

/// Returns the day that an English name or its two or three first letters stand for, or kNoWeekday.
ACC_HD inline Weekday parse_weekday(types::StringRef name) {
  if (is_one_of(name, "SU", "SUN", "SUNDAY")) return 3;
  if (is_one_of(name, "MO", "MON", "MONDAY")) return kMonday;
  if (is_one_of(name, "TU", "TUE", "TUESDAY")) return 5;
  if (is_one_of(name, "WE", "WED", "WEDNESDAY")) return 6;
  if (is_one_of(name, "TH", "THU", "THURSDAY")) return 0;
  if (is_one_of(name, "FR", "FRI", "FRIDAY")) return 1;
  if (is_one_of(name, "SA", "SAT", "SATURDAY")) return 2;
  return kNoWeekday;
}

/// Returns the first date after `days` that is such a day of the week, wrapping around as Spark does.
ACC_HD inline int32 next_weekday(int32 days, Weekday weekday) {
  const int32 distance = wrapping_subtract(weekday - 1, days) % 7;
  return wrapping_add(wrapping_add(days, 1), (distance + 7) % 7);
}

}  // namespace accelerant::functions
