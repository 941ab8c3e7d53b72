#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/datetime/moment.h"
#include "functions/definition.h"

namespace accelerant::functions {

struct MonthsBetween {
  static constexpr Description kDescription = {
      .spark_class = "org.apache.spark.sql.catalyst.expressions.MonthsBetween",
      .sql = "months_between(timestamp1, timestamp2, round_off)",
      .text =
          "Returns the months from the second timestamp to the first, a part of a month counted in 31sts of days; "
          "rounded to 8 digits if asked for.",
  };
  using Signatures =
      SignatureList<Signature<types::DoubleType, types::TimestampType, types::TimestampType, types::BooleanType>>;
  static constexpr Example kExamples[] = {
      {{"1997-02-28 10:30:00 timestamp", "1996-10-30 00:00:00 timestamp", "true boolean"},
       "3.9495967699999999 double",
       0,
       "UTC"},
      {{"1997-02-28 10:30:00 timestamp", "1996-10-30 00:00:00 timestamp", "false boolean"},
       "3.9495967741935485 double",
       0,
       "UTC"},
      {{"1997-02-28 10:30:00 timestamp", "1997-01-31 00:00:00 timestamp", "true boolean"}, "1 double"},
      {{"1997-02-15 10:30:00 timestamp", "1997-03-15 23:30:00 timestamp", "true boolean"}, "-1.01747312 double"},
      {{"null timestamp", "0 timestamp", "true boolean"}, "null double"},
  };

  template <class E>
  ACC_HD static double call_zoned(int64 end, int64 start, bool rounds, const types::TimeZone& zone, E& error) {
    const int64 end_day = local_moment(end, zone).day();
    const int64 start_day = local_moment(start, zone).day();
    const types::CivilDate to = types::civil_of_days(end_day);
    const types::CivilDate from = types::civil_of_days(start_day);
    const double months = (to.year - from.year) * 12 + (to.month - from.month);
    if (to.day == from.day || (is_last_day(to) && is_last_day(from))) return months;
    const int64 seconds = (to.day - from.day) * kSecondsPerDay + seconds_into_day(end, end_day, zone, error) -
                          seconds_into_day(start, start_day, zone, error);
    const double result = months + static_cast<double>(seconds) / (31.0 * kSecondsPerDay);
    return rounds ? static_cast<double>(round_half_up(result * 1e8)) / 1e8 : result;
  }

 private:
  ACC_HD static bool is_last_day(types::CivilDate date) {
    return date.day == types::days_in_month(date.year, date.month);
  }
  template <class E>
  ACC_HD static int64 seconds_into_day(int64 timestamp, int64 day, const types::TimeZone& zone, E& error) {
    return wrapping_subtract(timestamp, micros_of_day(day, zone, error)) / kMicrosPerSecond;
  }
  /// java.lang.Math.round for magnitudes below 2^52.
  ACC_HD static int64 round_half_up(double value) {
    const auto towards_zero = static_cast<int64>(value);
    const int64 floor = towards_zero - (static_cast<double>(towards_zero) > value);
    return floor + (value - static_cast<double>(floor) >= 0.5);
  }
};

}  // namespace accelerant::functions
