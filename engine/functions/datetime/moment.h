#pragma once

#include "functions/error_codes.h"
#include "types/time_zone.h"

/// Points in time on the way from a timestamp to its parts and back.
namespace accelerant::functions {

inline constexpr int64 kMicrosPerSecond = 1000000;
inline constexpr int64 kSecondsPerDay = 86400;
inline constexpr int64 kMicrosPerDay = kSecondsPerDay * kMicrosPerSecond;

/// An instant, or a local time as if it were UTC; wide enough that nothing overflows before it is a timestamp again.
struct Moment {
  int64 second;  ///< since 1970-01-01 00:00
  int64 micro;   ///< of the second, 0 to 999,999

  /// The day of a local time, in days since 1970-01-01.
  ACC_HD int64 day() const { return types::floor_divide(second, kSecondsPerDay); }
  /// The second of a local time's day.
  ACC_HD int64 second_of_day() const { return second - day() * kSecondsPerDay; }
};

ACC_HD inline Moment moment_of(int64 micros) {
  const int64 second = types::floor_divide(micros, kMicrosPerSecond);
  // Modulo 2^64, as the first timestamp lies within a second that begins before all 64-bit numbers.
  const uint64 start = static_cast<uint64>(second) * static_cast<uint64>(kMicrosPerSecond);
  return {second, static_cast<int64>(static_cast<uint64>(micros) - start)};
}

/// Returns a product, or its low bits and kOutOfRange (java.lang.Math.multiplyExact).
template <class E>
ACC_HD int64 multiply_in_range(int64 lhs, int64 rhs, E& error) {
  const int128 product = static_cast<int128>(lhs) * rhs;
  error |= product != static_cast<int64>(product) ? static_cast<E>(kOutOfRange) : E{0};
  return static_cast<int64>(product);
}

/// Returns the microseconds since 1970, or kOutOfRange where they do not fit a timestamp.
template <class E>
ACC_HD int64 micros_of(Moment moment, E& error) {
  const int128 micros = static_cast<int128>(moment.second) * kMicrosPerSecond + moment.micro;
  error |= micros != static_cast<int64>(micros) ? static_cast<E>(kOutOfRange) : E{0};
  return static_cast<int64>(micros);
}

/// Returns a timestamp's local time in a zone.
ACC_HD inline Moment local_moment(int64 micros, const types::TimeZone& zone) {
  const Moment instant = moment_of(micros);
  return {instant.second + types::offset_at(zone, instant.second), instant.micro};
}

/// Returns a day's first timestamp in a zone.
template <class E>
ACC_HD int64 micros_of_day(int64 days, const types::TimeZone& zone, E& error) {
  return micros_of(Moment{types::start_of_day(zone, days), 0}, error);
}

/// Returns the timestamp of a local time in a zone, given as if it were UTC (java.time.LocalDateTime.atZone).
template <class E>
ACC_HD int64 micros_at_local(int64 local_micros, const types::TimeZone& zone, E& error) {
  const Moment local = moment_of(local_micros);
  return micros_of(Moment{types::second_of_local(zone, local.second), local.micro}, error);
}

/// Moves a timestamp to another local time, keeping its offset where the new time is in an overlap and allows it
/// (java.time.ZonedDateTime).
template <class E>
ACC_HD int64 at_local_second(Moment instant, int64 local_second, const types::TimeZone& zone, E& error) {
  const int32 offset = types::offset_at(zone, instant.second);
  return micros_of(Moment{types::second_of_local(zone, local_second, offset), instant.micro}, error);
}

}  // namespace accelerant::functions
