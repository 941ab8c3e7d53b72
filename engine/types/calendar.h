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

/// Returns the date that is `days` after 1970-01-01, for any int32 (H. Hinnant, "chrono-compatible low-level date
/// algorithms").
ACC_HD constexpr CivilDate civil_of_days(int32 days) {
  const int64 shifted = int64{days} + 719468;  // days since 0000-03-01
  const int64 era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const int32 day_of_era = static_cast<int32>(shifted - era * 146097);
  const int32 year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int32 day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int32 month = (5 * day_of_year + 2) / 153;  // from March
  const int32 day = day_of_year - (153 * month + 2) / 5 + 1;
  const int64 year = year_of_era + era * 400 + (month >= 10);
  return {static_cast<int32>(year), month < 10 ? month + 3 : month - 9, day};
}

}  // namespace accelerant::types
