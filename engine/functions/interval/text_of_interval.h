#pragma once

#include "base/macros.h"

/// What functions that make texts of values do with intervals.
namespace accelerant::functions {

/// Says whether a value is an interval of days to seconds, or of years to months.
template <class Call, class Slot>
ACC_HD bool is_interval(const Call& call, Slot value) {
  const auto type = call.type_of(value);
  return type.is(Call::TypeId::DayTimeInterval) || type.is(Call::TypeId::YearMonthInterval);
}

/// Adds the text of an interval, as the result of a call that makes a string.
template <class Call, class Slot>
ACC_HD Slot text_of_interval(const Call& call, Slot interval) {
  const auto type = call.type_of(interval);
  return call.call("io.accelerant.IntervalText",
                   {interval, call.number(type.start_field()), call.number(type.end_field())});
}

}  // namespace accelerant::functions
