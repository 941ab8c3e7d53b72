#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/datetime/moment.h"
#include "functions/datetime/trunc_level.h"

// How Spark truncates timestamps depends on its version where local times happen twice and at the ends of the type.

namespace accelerant::functions {

/// Cuts a local time to a level from Minute on; returns seconds.
template <class E>
ACC_HD int64 truncate_local(Moment local, TruncLevel level, E& error) {
  if (level >= TruncLevel::Week) {
    return truncate_date(static_cast<int32>(local.day()), level, error) * kSecondsPerDay;
  }
  const int64 unit = level == TruncLevel::Minute ? 60 : level == TruncLevel::Hour ? 3600 : kSecondsPerDay;
  return types::floor_divide(local.second, unit) * unit;
}

/// Cuts a timestamp to a level of up to Second, for which zones do not matter; wraps around.
ACC_HD inline int64 truncate_fraction(int64 timestamp, TruncLevel level) {
  if (level == TruncLevel::Microsecond) return timestamp;
  const int64 unit = level == TruncLevel::Millisecond ? 1000 : kMicrosPerSecond;
  const int64 above = timestamp % unit;
  return wrapping_subtract(timestamp, above < 0 ? above + unit : above);
}

/// Before Spark 4.3: dates begin with their first instant; hours and days keep the timestamp's offset.
template <class E>
ACC_HD int64 truncate_to_instant(int64 timestamp, TruncLevel level, const types::TimeZone& zone, E& error) {
  if (level <= TruncLevel::Second) return truncate_fraction(timestamp, level);
  const int64 local_second = truncate_local(local_moment(timestamp, zone), level, error);
  if (level >= TruncLevel::Week) return micros_of_day(local_second / kSecondsPerDay, zone, error);
  return at_local_second({moment_of(timestamp).second, 0}, local_second, zone, error);
}

/// Since Spark 4.3: the local times on the way must be timestamps too, and the timestamp's offset is kept wherever it
/// holds at the result.
template <class E>
ACC_HD int64 truncate_locally(int64 timestamp, TruncLevel level, const types::TimeZone& zone, E& error) {
  if (level <= TruncLevel::Second) {
    const int64 result = truncate_fraction(timestamp, level);
    error |= result > timestamp ? static_cast<E>(kOutOfRange) : E{0};
    return result;
  }
  const Moment local = local_moment(timestamp, zone);
  const int64 local_second = truncate_local(local, level, error);
  micros_of(local, error);
  micros_of(Moment{local_second, 0}, error);
  const int64 offset = local.second - moment_of(timestamp).second;
  const int64 candidate = local_second - offset;
  if (types::offset_at(zone, candidate) == offset) return micros_of(Moment{candidate, 0}, error);
  return truncate_to_instant(timestamp, level, zone, error);
}

}  // namespace accelerant::functions
