#pragma once

#include "functions/datetime/moment.h"
#include "types/calendar.h"

namespace accelerant::functions {

/// Returns the timestamp of the same local time that many months later (java.time.ZonedDateTime.plusMonths).
template <class E>
ACC_HD int64 add_months(int64 timestamp, int64 months, const types::TimeZone& zone, E& error) {
  constexpr int64 kMostMonths = 12 * 1000000;  // more than all timestamps span
  if (months < -kMostMonths || months > kMostMonths) {
    error |= static_cast<E>(kOutOfRange);
    return 0;
  }
  const Moment local = local_moment(timestamp, zone);
  const int64 day = types::days_of_civil(types::plus_months(types::civil_of_days(local.day()), months));
  return at_local_second(moment_of(timestamp), day * kSecondsPerDay + local.second_of_day(), zone, error);
}

/// Returns the timestamp that many microseconds later.
template <class E>
ACC_HD int64 add_elapsed(int64 timestamp, int64 micros, E& error) {
  const int128 sum = static_cast<int128>(timestamp) + micros;
  error |= sum != static_cast<int64>(sum) ? static_cast<E>(kOutOfRange) : E{0};
  return static_cast<int64>(sum);
}

/// Returns the instant of the same local time that many days later (java.time.ZonedDateTime.plusDays).
ACC_HD inline Moment add_days(Moment instant, int64 days, const types::TimeZone& zone) {
  const int32 offset = types::offset_at(zone, instant.second);
  return {types::second_of_local(zone, instant.second + offset + days * kSecondsPerDay, offset), instant.micro};
}

/// Returns the timestamp later by an interval's whole days in local time, and then by the rest in elapsed time
/// (java.time.ZonedDateTime.plusDays, plus).
template <class E>
ACC_HD int64 add_day_time(int64 timestamp, int64 interval, const types::TimeZone& zone, E& error) {
  const int64 days = interval / kMicrosPerDay;
  Moment instant = moment_of(timestamp);
  if (days != 0) instant = add_days(instant, days, zone);
  const Moment rest = moment_of(instant.micro + (interval - days * kMicrosPerDay));
  return micros_of(Moment{instant.second + rest.second, rest.micro}, error);
}

}  // namespace accelerant::functions
