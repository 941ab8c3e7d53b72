#pragma once

// One line a function: its header's name and its struct. The build and the registry read this list.
#define ACC_FUNCTIONS_INTERVAL(F)                \
  F(add_intervals, AddIntervals)                 \
  F(subtract_intervals, SubtractIntervals)       \
  F(negate_interval, NegateInterval)             \
  F(abs_interval, AbsInterval)                   \
  F(multiply_dt_interval, MultiplyDTInterval)    \
  F(multiply_ym_interval, MultiplyYMInterval)    \
  F(extract_years, ExtractANSIIntervalYears)     \
  F(extract_months, ExtractANSIIntervalMonths)   \
  F(extract_days, ExtractANSIIntervalDays)       \
  F(extract_hours, ExtractANSIIntervalHours)     \
  F(extract_minutes, ExtractANSIIntervalMinutes) \
  F(extract_seconds, ExtractANSIIntervalSeconds) \
  F(interval_text, IntervalText)
