#pragma once

#include "functions/error_codes.h"
#include "types/calendar.h"

namespace accelerant::functions {

/// Returns the date that many months later, or kOutOfRange where it is no date.
template <class E>
ACC_HD int32 add_months_to_date(int32 date, int32 months, E& error) {
  const int64 days = types::days_of_civil(types::plus_months(types::civil_of_days(date), months));
  error |= days != static_cast<int32>(days) ? static_cast<E>(kOutOfRange) : E{0};
  return static_cast<int32>(days);
}

}  // namespace accelerant::functions
