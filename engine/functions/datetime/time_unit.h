#pragma once

#include "functions/datetime/keyword.h"
#include "functions/datetime/moment.h"

namespace accelerant::functions {

/// Returns the months of a unit of `timestampadd` or `timestampdiff`, 0 for units of days and less.
ACC_HD inline int64 months_of_unit(types::StringRef unit) {
  return is_keyword(unit, "MONTH") ? 1 : is_keyword(unit, "QUARTER") ? 3 : is_keyword(unit, "YEAR") ? 12 : 0;
}

/// Returns the microseconds of a unit of up to a week; 0 for others.
ACC_HD inline int64 micros_of_unit(types::StringRef unit) {
  if (is_keyword(unit, "MICROSECOND")) return 1;
  if (is_keyword(unit, "MILLISECOND")) return 1000;
  if (is_keyword(unit, "SECOND")) return kMicrosPerSecond;
  if (is_keyword(unit, "MINUTE")) return 60 * kMicrosPerSecond;
  if (is_keyword(unit, "HOUR")) return 3600 * kMicrosPerSecond;
  if (is_one_of(unit, "DAY", "DAYOFYEAR")) return kMicrosPerDay;
  return is_keyword(unit, "WEEK") ? 7 * kMicrosPerDay : 0;
}

/// What functions make of Spark's fields whose first argument is a unit: Spark's class has it as a text.
template <class Call>
ACC_HD auto bind_with_unit(Call& call) {
  const auto unit = call.constant_text(call.text("unit"));
  auto arguments = call.arguments();
  arguments.insert(arguments.begin(), unit);
  const auto zone = call.zone();
  call.finish();
  return call.call(arguments, Call::kAnsi, zone);
}

}  // namespace accelerant::functions
