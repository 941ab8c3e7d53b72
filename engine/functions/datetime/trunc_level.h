#pragma once

#include "functions/datetime/keyword.h"
#include "functions/datetime/moment.h"
#include "functions/datetime/weekday.h"
#include "types/calendar.h"

namespace accelerant::functions {

/// What `trunc` and `date_trunc` cut a date or timestamp to.
enum class TruncLevel : uint8 {
  None,  ///< no such format
  Microsecond,
  Millisecond,
  Second,
  Minute,
  Hour,
  Day,
  Week,  ///< the first level of dates
  Month,
  Quarter,
  Year,
};

ACC_HD inline TruncLevel parse_trunc_level(types::StringRef format) {
  if (is_keyword(format, "MICROSECOND")) return TruncLevel::Microsecond;
  if (is_keyword(format, "MILLISECOND")) return TruncLevel::Millisecond;
  if (is_keyword(format, "SECOND")) return TruncLevel::Second;
  if (is_keyword(format, "MINUTE")) return TruncLevel::Minute;
  if (is_keyword(format, "HOUR")) return TruncLevel::Hour;
  if (is_one_of(format, "DAY", "DD")) return TruncLevel::Day;
  if (is_keyword(format, "WEEK")) return TruncLevel::Week;
  if (is_one_of(format, "MON", "MONTH", "MM")) return TruncLevel::Month;
  if (is_keyword(format, "QUARTER")) return TruncLevel::Quarter;
  if (is_one_of(format, "YEAR", "YYYY", "YY")) return TruncLevel::Year;
  return TruncLevel::None;
}

/// Cuts a date to a level from Week on. Wraps around as Spark does, but for quarters, which are kOutOfRange.
template <class E>
ACC_HD int32 truncate_date(int32 days, TruncLevel level, E& error) {
  if (level == TruncLevel::Week) return next_weekday(wrapping_subtract(days, 7), kMonday);
  const types::CivilDate date = types::civil_of_days(days);
  if (level == TruncLevel::Month) return wrapping_subtract(days, date.day - 1);
  if (level == TruncLevel::Year) return wrapping_subtract(days, types::day_of_year(date) - 1);
  const int64 first = types::days_of_civil({date.year, date.month - (date.month - 1) % 3, 1});
  error |= first != static_cast<int32>(first) ? static_cast<E>(kOutOfRange) : E{0};
  return static_cast<int32>(first);
}

/// What functions make of Spark's fields that truncate the argument which is no string. Where the other one, the
/// format, is a constant that gives null for every time, Spark does not look at the time.
template <class Call>
ACC_HD auto bind_truncation(Call& call, const char* function) {
  const auto zone = call.zone();
  const auto arguments = call.arguments();
  call.finish();
  auto epoch = arguments;
  for (auto& argument : epoch) {
    if (!call.is_string(argument)) argument = call.constant(0, call.type_of(argument));
  }
  const auto of_epoch = call.call(function, epoch, Call::kAnsi, zone);
  const auto constant = call.builder().constant_of(of_epoch);
  return constant && constant->is_null(0) ? of_epoch : call.call(function, arguments, Call::kAnsi, zone);
}

}  // namespace accelerant::functions
