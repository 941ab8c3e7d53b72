#pragma once

#include "base/macros.h"
#include "types/calendar.h"
#include "types/integers.h"

namespace accelerant::types {

/// Seconds after which the calendar, and with it every yearly rule of a time zone, repeats: 400 years.
inline constexpr int64 kZoneCycleSeconds = int64{146097} * 86400;

/// Which offset from UTC holds when, as java.time.zone.ZoneRules has it: a list of periods. A view, for functions; the
/// owner is ZoneRules.
struct TimeZone {
  const int64* starts;        ///< instants at which periods begin, ascending, in seconds since 1970; the first: always
  const int64* local_starts;  ///< local times from which on a period's offset is used for sure, ascending
  const int32* offsets;       ///< seconds that local time is ahead of UTC
  int32 num_periods;          ///< at least 1
  int64 cycle_start;          ///< from here on periods repeat every 400 years, and the list goes on for that long
  bool repeats;
};

/// Returns the index of the last of `n` ascending values that is not above `key`; the first value counts as lowest.
ACC_HD inline int32 find_period(const int64* values, int32 n, int64 key) {
  int32 found = 0;
  while (n > 1) {
    const int32 half = n / 2;
    found += values[found + half] <= key ? half : 0;
    n -= half;
  }
  return found;
}

/// Returns how many seconds of whole cycles a time is beyond those that the list covers.
ACC_HD inline int64 seconds_beyond(const TimeZone& zone, int64 second) {
  if (!zone.repeats || second < zone.cycle_start + kZoneCycleSeconds) return 0;
  return (second - zone.cycle_start) / kZoneCycleSeconds * kZoneCycleSeconds;
}

/// Returns the offset that holds at an instant.
ACC_HD inline int32 offset_at(const TimeZone& zone, int64 second) {
  if (zone.num_periods == 1) return zone.offsets[0];
  return zone.offsets[find_period(zone.starts, zone.num_periods, second - seconds_beyond(zone, second))];
}

/// What a zone makes of a local time.
struct LocalOffset {
  int32 before;      ///< the offset of the period before a change of offset, or the only one
  int32 after;       ///< in an overlap or a gap the offset after the change, else `before`
  int64 transition;  ///< the change's instant, where `before` and `after` differ

  ACC_HD bool in_gap() const { return after > before; }
  ACC_HD bool in_overlap() const { return after < before; }
};

/// Finds the offsets of a local time, which may be skipped by a change of offset (gap) or happen twice (overlap).
ACC_HD inline LocalOffset offsets_of_local(const TimeZone& zone, int64 local_second) {
  if (zone.num_periods == 1) return {zone.offsets[0], zone.offsets[0], 0};
  const int64 beyond = seconds_beyond(zone, local_second);
  const int64 local = local_second - beyond;
  const int32 period = find_period(zone.local_starts, zone.num_periods, local);
  const int32 before = zone.offsets[period];
  if (period + 1 == zone.num_periods) return {before, before, 0};
  const int32 after = zone.offsets[period + 1];
  const int64 transition = zone.starts[period + 1];
  const bool is_ambiguous = local >= transition + (before < after ? before : after);
  return {before, is_ambiguous ? after : before, transition + beyond};
}

/// Returns the instant of a local time: in an overlap the earlier one, in a gap moved on by the gap's length
/// (java.time.ZonedDateTime.of).
ACC_HD inline int64 second_of_local(const TimeZone& zone, int64 local_second) {
  return local_second - offsets_of_local(zone, local_second).before;
}

/// The same, but in an overlap with `offset` where it is one of both (java.time.ZonedDateTime.ofLocal).
ACC_HD inline int64 second_of_local(const TimeZone& zone, int64 local_second, int32 offset) {
  const LocalOffset found = offsets_of_local(zone, local_second);
  return local_second - (found.in_overlap() && offset == found.after ? found.after : found.before);
}

/// Returns the first instant of a day: where midnight is skipped, the end of the gap
/// (java.time.LocalDate.atStartOfDay).
ACC_HD inline int64 start_of_day(const TimeZone& zone, int64 days) {
  const int64 midnight = days * 86400;
  const LocalOffset found = offsets_of_local(zone, midnight);
  return found.in_gap() ? found.transition : midnight - found.before;
}

}  // namespace accelerant::types
