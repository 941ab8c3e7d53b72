#pragma once

#include "functions/datetime/moment.h"
#include "types/calendar.h"

namespace accelerant::functions {

/// Returns the time between two moments; where `end` is earlier, negative seconds and still positive microseconds.
ACC_HD inline Moment elapsed(Moment start, Moment end) {
  const bool borrows = end.micro < start.micro;
  return {end.second - start.second - borrows, end.micro - start.micro + (borrows ? kMicrosPerSecond : 0)};
}

/// Returns the whole units of a number of seconds or more between two moments, towards zero.
ACC_HD inline int64 elapsed_units(Moment start, Moment end, int64 seconds_of_unit) {
  const Moment time = elapsed(start, end);
  return (time.second + (time.second < 0 && time.micro > 0)) / seconds_of_unit;
}

/// Returns the whole months between two local times, towards zero (java.time.LocalDateTime.until).
ACC_HD inline int64 elapsed_months(Moment start, Moment end) {
  const auto is_before = [](Moment lhs, Moment rhs) {
    const int64 difference = lhs.second_of_day() - rhs.second_of_day();
    return difference < 0 || (difference == 0 && lhs.micro < rhs.micro);
  };
  int64 last_day = end.day();
  if (last_day > start.day() && is_before(end, start)) --last_day;
  if (end.day() < start.day() && is_before(start, end)) ++last_day;
  const auto days_in_months = [](types::CivilDate date) {
    return (int64{date.year} * 12 + date.month - 1) * 32 + date.day;
  };
  return (days_in_months(types::civil_of_days(last_day)) - days_in_months(types::civil_of_days(start.day()))) / 32;
}

}  // namespace accelerant::functions
