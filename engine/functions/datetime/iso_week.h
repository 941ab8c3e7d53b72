#pragma once

#include "types/calendar.h"

namespace accelerant::functions {

/// Returns the Thursday of a date's ISO week, which decides about the week's year and number.
ACC_HD inline int64 thursday_of_week(int32 date) { return int64{date} - types::weekday_of_days(date) + 3; }

}  // namespace accelerant::functions
