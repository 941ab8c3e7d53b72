#pragma once

// One line a function: its header's name and its struct. The build and the registry read this list.
#define ACC_FUNCTIONS_DATETIME(F)                      \
  F(date_add, DateAdd)                                 \
  F(date_sub, DateSub)                                 \
  F(date_diff, DateDiff)                               \
  F(date_add_ym_interval, DateAddYMInterval)           \
  F(subtract_dates, SubtractDates)                     \
  F(year, Year)                                        \
  F(quarter, Quarter)                                  \
  F(month, Month)                                      \
  F(day_of_month, DayOfMonth)                          \
  F(day_of_year, DayOfYear)                            \
  F(day_of_week, DayOfWeek)                            \
  F(week_day, WeekDay)                                 \
  F(week_of_year, WeekOfYear)                          \
  F(year_of_week, YearOfWeek)                          \
  F(last_day, LastDay)                                 \
  F(next_day, NextDay)                                 \
  F(add_months, AddMonths)                             \
  F(trunc_date, TruncDate)                             \
  F(make_date, MakeDate)                               \
  F(unix_date, UnixDate)                               \
  F(date_from_unix_date, DateFromUnixDate)             \
  F(hour, Hour)                                        \
  F(minute, Minute)                                    \
  F(second, Second)                                    \
  F(second_with_fraction, SecondWithFraction)          \
  F(trunc_timestamp_before_43, TruncTimestampBefore43) \
  F(trunc_timestamp, TruncTimestamp)                   \
  F(timestamp_add, TimestampAdd)                       \
  F(timestamp_add_interval, TimestampAddInterval)      \
  F(timestamp_add_ym_interval, TimestampAddYMInterval) \
  F(timestamp_diff, TimestampDiff)                     \
  F(subtract_timestamps, SubtractTimestamps)           \
  F(months_between, MonthsBetween)                     \
  F(unix_timestamp, UnixTimestamp)                     \
  F(to_unix_timestamp, ToUnixTimestamp)                \
  F(unix_seconds, UnixSeconds)                         \
  F(unix_millis, UnixMillis)                           \
  F(unix_micros, UnixMicros)                           \
  F(seconds_to_timestamp, SecondsToTimestamp)          \
  F(millis_to_timestamp, MillisToTimestamp)            \
  F(micros_to_timestamp, MicrosToTimestamp)            \
  F(from_utc_timestamp, FromUTCTimestamp)              \
  F(to_utc_timestamp, ToUTCTimestamp)
