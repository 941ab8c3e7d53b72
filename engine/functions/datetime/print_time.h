#pragma once

#include "functions/datetime/moment.h"
#include "types/text.h"

namespace accelerant::functions {

/// Adds a date as 2024-02-29; years of more than four digits have a sign.
template <int N>
ACC_HD void add_date(types::Text<N>& text, int64 days) {
  const types::CivilDate date = types::civil_of_days(days);
  if (date.year < 0) text.add('-');
  if (date.year > 9999) text.add('+');
  text.add_digits(static_cast<uint32>(date.year < 0 ? -date.year : date.year), 4);
  text.add('-');
  text.add_digits(static_cast<uint32>(date.month), 2);
  text.add('-');
  text.add_digits(static_cast<uint32>(date.day), 2);
}

/// Adds a time of day as 12:30:00, with a fraction that does not end in zero.
template <int N>
ACC_HD void add_time_of_day(types::Text<N>& text, uint32 second_of_day, uint32 micro) {
  text.add_digits(second_of_day / 3600, 2);
  text.add(':');
  text.add_digits(second_of_day / 60 % 60, 2);
  text.add(':');
  text.add_digits(second_of_day % 60, 2);
  if (micro == 0) return;
  text.add('.');
  int32 digits = 6;
  for (; micro % 10 == 0; micro /= 10) --digits;
  text.add_digits(micro, digits);
}

}  // namespace accelerant::functions
