#pragma once

#include <cstdint>

/// What Parquet's INT96 counts by: Julian days, and the nanoseconds of a day.
namespace accelerant::io {

inline constexpr int64_t kJulianDayOfEpoch = 2'440'588;
inline constexpr int64_t kMicrosPerDay = 86'400'000'000;

}  // namespace accelerant::io
