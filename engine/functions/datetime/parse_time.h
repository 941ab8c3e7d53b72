#pragma once

#include "functions/datetime/moment.h"
#include "functions/datetime/parse_zone.h"

// The grammar of dates and timestamps in casts from strings: Spark's SparkDateTimeUtils.stringToDate and
// parseTimestampString.

namespace accelerant::functions {

/// Reads a text from its start.
struct TimeScanner {
  const char* next;
  const char* end;

  ACC_HD explicit TimeScanner(types::StringRef text) : next(text.data), end(text.data + text.length) {}

  ACC_HD bool at_end() const { return next == end; }
  ACC_HD bool take(char byte) {
    if (at_end() || *next != byte) return false;
    ++next;
    return true;
  }
  /// Takes all digits that follow, if they are as many as allowed.
  ACC_HD bool take_number(int32 min_digits, int32 max_digits, int32& value) {
    value = 0;
    int32 digits = 0;
    for (; !at_end() && types::is_digit(*next); ++next) {
      if (++digits > max_digits) return false;
      value = value * 10 + (*next - '0');
    }
    return digits >= min_digits;
  }
  /// Takes digits of a fraction as microseconds; those beyond six are cut.
  ACC_HD int32 take_micros() {
    int32 micros = 0;
    int32 scale = 100000;
    for (; !at_end() && types::is_digit(*next); ++next, scale /= 10) micros += (*next - '0') * scale;
    return micros;
  }
  /// Takes a year of four digits or more, a month and a day as far as they are there; only `has_day` may more follow.
  ACC_HD bool take_date(int32 max_year_digits, types::CivilDate& date, bool& has_day) {
    const bool is_negative = !at_end() && *next == '-';
    if (is_negative || (!at_end() && *next == '+')) ++next;
    date = {0, 1, 1};
    has_day = false;
    if (!take_number(4, max_year_digits, date.year)) return false;
    if (is_negative) date.year = -date.year;
    if (!take('-')) return true;
    if (!take_number(1, 2, date.month)) return false;
    if (!take('-')) return true;
    has_day = true;
    return take_number(1, 2, date.day);
  }
};

/// Says whether there is such a date.
ACC_HD inline bool is_date(types::CivilDate date) {
  return date.month >= 1 && date.month <= 12 && date.day >= 1 &&
         date.day <= types::days_in_month(date.year, date.month);
}

/// Parses a date, whatever follows it behind a blank or a T; false where there is none.
ACC_HD inline bool parse_date(types::StringRef text, int32& days) {
  TimeScanner scanner(types::trim_blanks(text));
  types::CivilDate date;
  bool has_day;
  if (!scanner.take_date(7, date, has_day) || !is_date(date)) return false;
  const bool ends = scanner.at_end() || (has_day && (*scanner.next == ' ' || *scanner.next == 'T'));
  const int64 wide = types::days_of_civil(date);
  days = static_cast<int32>(wide);
  return ends && days == wide;
}

/// A timestamp as a text says it.
struct ParsedTime {
  enum class Kind : uint8 {
    Invalid,
    Local,       ///< in the session's time zone
    AtOffset,    ///< with an offset from UTC
    NeedsSpark,  ///< in a zone that goes by a name
  };

  Kind kind;
  bool has_date;  ///< else it is a time of today
  Moment local;
  int32 offset;
};

inline constexpr ParsedTime kInvalidTime = {ParsedTime::Kind::Invalid, false, {0, 0}, 0};

/// Parses what follows the seconds: a zone, or nothing.
ACC_HD inline ParsedTime parse_zone_of_time(types::StringRef text, Moment local) {
  if (text.length == 0) return {ParsedTime::Kind::Local, true, local, 0};
  const ParsedZone zone = parse_zone(text);
  if (zone.kind == ParsedZone::Kind::Invalid) return kInvalidTime;
  if (zone.kind == ParsedZone::Kind::Region) return {ParsedTime::Kind::NeedsSpark, true, local, 0};
  return {ParsedTime::Kind::AtOffset, true, local, zone.offset};
}

/// Parses hours, then as far as they are there minutes, seconds, a fraction and a zone.
ACC_HD inline ParsedTime parse_time_of_day(TimeScanner scanner, int64 day) {
  int32 parts[3] = {0, 0, 0};
  int32 count = 0;
  do {
    if (!scanner.take_number(1, 2, parts[count++])) return kInvalidTime;
  } while (count < 3 && scanner.take(':'));
  if (count < 3 && !scanner.at_end()) return kInvalidTime;
  const int32 micro = scanner.take('.') ? scanner.take_micros() : 0;
  if (parts[0] > 23 || parts[1] > 59 || parts[2] > 59) return kInvalidTime;
  const Moment local = {day * kSecondsPerDay + parts[0] * 3600 + parts[1] * 60 + parts[2], micro};
  return parse_zone_of_time({scanner.next, static_cast<int32>(scanner.end - scanner.next)}, local);
}

/// Says whether a text begins with one or two digits and a colon.
ACC_HD inline bool begins_with_hour(TimeScanner scanner) {
  int32 hour;
  return scanner.take_number(1, 2, hour) && scanner.take(':');
}

/// Parses a timestamp.
ACC_HD inline ParsedTime parse_timestamp(types::StringRef text) {
  TimeScanner scanner(types::trim_blanks(text));
  const bool is_marked = text.length > 0 && text.data[0] == 'T' && scanner.take('T');
  if (is_marked || begins_with_hour(scanner)) {
    ParsedTime time = parse_time_of_day(scanner, 0);
    time.has_date = false;
    return time;
  }
  types::CivilDate date;
  bool has_day;
  if (!scanner.take_date(6, date, has_day) || !is_date(date)) return kInvalidTime;
  const int64 day = types::days_of_civil(date);
  if (scanner.at_end()) return {ParsedTime::Kind::Local, true, {day * kSecondsPerDay, 0}, 0};
  if (!has_day || !(scanner.take(' ') || scanner.take('T'))) return kInvalidTime;
  return parse_time_of_day(scanner, day);
}

}  // namespace accelerant::functions
