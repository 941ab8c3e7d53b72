#pragma once

#include "functions/datetime/date_pattern.h"
#include "functions/datetime/parse_time.h"

// From fields that a text has to a point in time: java.time.format.Parsed with ResolverStyle.STRICT, and what Spark's
// DateTimeFormatterHelper puts in the place of fields that are missing.

namespace accelerant::functions {

/// The fields that a text has.
struct ParsedFields {
  int64 values[kNumParsedFields];
  uint32 present = 0;

  ACC_HD bool has(DateField field) const { return (present & bit_of(field)) != 0; }
  ACC_HD int64 get(DateField field) const { return values[static_cast<int32>(field)]; }
  ACC_HD int64 get_or(DateField field, int64 otherwise) const { return has(field) ? get(field) : otherwise; }
  ACC_HD bool is(DateField field, int64 value) const { return !has(field) || get(field) == value; }
  ACC_HD void remove(DateField field) { present &= ~bit_of(field); }

  /// Sets a field; false where it has another value already.
  ACC_HD bool put(DateField field, int64 value) {
    if (!is(field, value)) return false;
    values[static_cast<int32>(field)] = value;
    present |= bit_of(field);
    return true;
  }
};

inline constexpr int64 kMaxYear = 999999999;  // java.time.Year.MAX_VALUE

ACC_HD inline bool is_within(int64 value, int64 least, int64 greatest) { return value >= least && value <= greatest; }

/// Turns a year of an era into a year, where the text says the era; false where there is no such year.
ACC_HD inline bool resolve_era(ParsedFields& fields) {
  if (!fields.has(DateField::YearOfEra)) return true;
  const int64 year = fields.get(DateField::YearOfEra);
  if (!is_within(year, 1, kMaxYear + 1)) return false;
  if (!fields.has(DateField::Era)) return true;
  return fields.put(DateField::Year, fields.get(DateField::Era) == 1 ? year : 1 - year);
}

/// Finds the date, of 1970, January or a first day where the text does not say it; false where there is none.
ACC_HD inline bool resolve_date(ParsedFields& fields, int64& days) {
  if (!resolve_era(fields)) return false;
  const int64 year = fields.get_or(DateField::Year, 1970);
  const int64 month = fields.get_or(DateField::Month, 1);
  const int64 day = fields.get_or(DateField::Day, 1);
  if (!is_within(year, -kMaxYear, kMaxYear) || !is_within(month, 1, 12) || !is_within(day, 1, 31)) return false;
  types::CivilDate date = {static_cast<int32>(year), static_cast<int32>(month), static_cast<int32>(day)};
  if (fields.has(DateField::DayOfYear)) {
    const int64 day_of_year = fields.get(DateField::DayOfYear);
    if (!is_within(day_of_year, 1, 365 + types::is_leap(date.year))) return false;
    days = types::days_of_civil({date.year, 1, 1}) + day_of_year - 1;
    date = types::civil_of_days(days);
    return fields.is(DateField::Month, date.month) && fields.is(DateField::Day, date.day);
  }
  if (!is_date(date)) return false;
  days = types::days_of_civil(date);
  return true;
}

/// Brings hours of a clock and of a half day down to one field; false where they contradict each other.
ACC_HD inline bool resolve_hours(ParsedFields& fields) {
  if (fields.has(DateField::ClockHour)) {
    const int64 hour = fields.get(DateField::ClockHour);
    if (!is_within(hour, 1, 24) || !fields.put(DateField::Hour, hour % 24)) return false;
  }
  if (fields.has(DateField::ClockHourOfHalf)) {
    const int64 hour = fields.get(DateField::ClockHourOfHalf);
    if (!is_within(hour, 1, 12) || !fields.put(DateField::HourOfHalf, hour % 12)) return false;
  }
  if (!fields.has(DateField::HalfDay) || !fields.has(DateField::HourOfHalf)) return true;
  const int64 hour = fields.get(DateField::HourOfHalf);
  if (!is_within(hour, 0, 11) || !fields.put(DateField::Hour, fields.get(DateField::HalfDay) * 12 + hour)) return false;
  fields.remove(DateField::HalfDay);
  fields.remove(DateField::HourOfHalf);
  return true;
}

/// Returns the hour of the day, or -1: where the text says that of a half day alone, it is one before noon.
ACC_HD inline int64 resolved_hour(const ParsedFields& fields) {
  if (fields.has(DateField::Hour)) return fields.get(DateField::Hour);
  if (!fields.has(DateField::HourOfHalf)) return fields.get_or(DateField::HalfDay, 0) * 12;
  const int64 hour = fields.get(DateField::HourOfHalf);
  return is_within(hour, 0, 11) ? hour : -1;
}

/// Says whether nothing that the text says about the half day contradicts its hour. Java compares these only where no
/// field is missing between those that the text says.
ACC_HD inline bool agrees_with_halves(const ParsedFields& fields) {
  if (!fields.has(DateField::Hour)) return true;
  const bool has_minute = fields.has(DateField::Minute);
  const bool has_second = fields.has(DateField::Second);
  if ((has_second && !has_minute) || (fields.has(DateField::Nano) && !(has_minute && has_second))) return true;
  const int64 hour = fields.get(DateField::Hour);
  return fields.is(DateField::HalfDay, hour / 12) && fields.is(DateField::HourOfHalf, hour % 12);
}

/// Finds the time of the day, with zeros for what the text does not say; false where there is none.
ACC_HD inline bool resolve_time(ParsedFields& fields, Moment& time) {
  constexpr uint32 kOfHalves = bit_of(DateField::ClockHour) | bit_of(DateField::HourOfHalf) |
                               bit_of(DateField::ClockHourOfHalf) | bit_of(DateField::HalfDay);
  const bool is_plain = (fields.present & kOfHalves) == 0;
  if (!is_plain && (!resolve_hours(fields) || !agrees_with_halves(fields))) return false;
  const int64 hour = is_plain ? fields.get_or(DateField::Hour, 0) : resolved_hour(fields);
  const int64 minute = fields.get_or(DateField::Minute, 0);
  const int64 second = fields.get_or(DateField::Second, 0);
  if (!is_within(hour, 0, 23) || !is_within(minute, 0, 59) || !is_within(second, 0, 59)) return false;
  time = {hour * 3600 + minute * 60 + second, fields.get_or(DateField::Nano, 0) / 1000};
  return true;
}

/// Finds the point in time that the fields say, in the session's time zone unless there is an offset.
ACC_HD inline ParsedTime resolve_fields(ParsedFields& fields) {
  int64 days = 0;
  Moment time{};
  if (!resolve_date(fields, days) || !resolve_time(fields, time)) return kInvalidTime;
  const Moment local = {days * kSecondsPerDay + time.second, time.micro};
  if (!fields.has(DateField::Offset)) return {ParsedTime::Kind::Local, true, local, 0};
  return {ParsedTime::Kind::AtOffset, true, local, static_cast<int32>(fields.get(DateField::Offset))};
}

}  // namespace accelerant::functions
