#pragma once

#include "functions/datetime/date_names.h"
#include "functions/datetime/date_pattern.h"
#include "functions/datetime/moment.h"
#include "types/text.h"

namespace accelerant::functions {

using PatternText = types::Text<DatePattern::kMaxTextBytes>;

/// A timestamp in a time zone, taken apart.
struct PrintedTime {
  types::CivilDate date;
  int32 weekday;  ///< 0 for Monday
  int32 second_of_day;
  int32 micro;
  int32 offset;

  ACC_HD PrintedTime(int64 micros, const types::TimeZone& zone) {
    const Moment instant = moment_of(micros);
    offset = types::offset_at(zone, instant.second);
    const Moment local = {instant.second + offset, instant.micro};
    const int64 day = local.day();
    date = types::civil_of_days(day);
    weekday = types::weekday_of_days(static_cast<int32>(day));
    second_of_day = static_cast<int32>(local.second - day * kSecondsPerDay);
    micro = static_cast<int32>(instant.micro);
  }

  ACC_HD int32 hour() const { return second_of_day / 3600; }

  ACC_HD int32 value_of(DateField field) const {
    switch (field) {
      case DateField::Year:
        return date.year;
      case DateField::YearOfEra:
        return date.year > 0 ? date.year : 1 - date.year;
      case DateField::Era:
        return date.year > 0;
      case DateField::Month:
        return date.month;
      case DateField::Day:
        return date.day;
      case DateField::DayOfYear:
        return types::day_of_year(date);
      case DateField::Quarter:
        return (date.month + 2) / 3;
      case DateField::Weekday:
        return weekday;
      case DateField::Hour:
      case DateField::ClockHour:
      case DateField::HourOfHalf:
      case DateField::ClockHourOfHalf:
      case DateField::HalfDay:
      case DateField::Minute:
      case DateField::Second:
      case DateField::Nano:
      case DateField::Offset:
        break;
    }
    return part_of_day(field);
  }

 private:
  ACC_HD int32 part_of_day(DateField field) const {
    if (field == DateField::Hour) return hour();
    if (field == DateField::ClockHour) return hour() == 0 ? 24 : hour();
    if (field == DateField::HourOfHalf) return hour() % 12;
    if (field == DateField::ClockHourOfHalf) return hour() % 12 == 0 ? 12 : hour() % 12;
    if (field == DateField::HalfDay) return hour() / 12;
    return field == DateField::Minute ? second_of_day / 60 % 60 : second_of_day % 60;
  }
};

ACC_HD inline void add_two_digits(PatternText& text, int32 value) {
  text.add(static_cast<char>('0' + value / 10));
  text.add(static_cast<char>('0' + value % 10));
}

/// Prints a number (NumberPrinterParser).
ACC_HD inline void print_number(const PatternItem& item, int32 value, PatternText& text) {
  if (item.min_width == 2 && value >= 0 && value < 100) return add_two_digits(text, value);
  const int32 size = value < 0 ? -value : value;
  if (value < 0) text.add('-');
  const int32 begin = text.length;
  text.add_digits(static_cast<uint32>(size), item.min_width);
  if (value < 0 || item.sign != SignStyle::BeyondWidth || text.length - begin <= item.min_width) return;
  text.length = begin;
  text.add('+');
  text.add_digits(static_cast<uint32>(size));
}

ACC_HD inline types::StringRef name_of(DateField field, int32 value, bool is_full) {
  if (field == DateField::Month) return name_of_month(value, is_full);
  if (field == DateField::Weekday) return name_of_weekday(value, is_full);
  if (field == DateField::Quarter) return name_of_quarter(value, is_full);
  return field == DateField::Era ? name_of_era(value, is_full) : name_of_half_day(value);
}

/// Prints as many digits of the second as the pattern has letters; those beyond are cut.
ACC_HD inline void print_fraction(const PatternItem& item, int32 micro, PatternText& text) {
  int32 divisor = 100000;
  for (int32 i = 0; i < item.max_width; ++i, divisor /= 10) {
    text.add(static_cast<char>('0' + (divisor > 0 ? micro / divisor % 10 : 0)));
  }
}

ACC_HD inline void print_no_offset(OffsetStyle style, PatternText& text) {
  if (style.has_z) return text.add('Z');
  text.add("+00");
  if (style.has_hours_for_zero) return;
  if (style.has_colons) text.add(':');
  text.add("00");
}

/// Prints an offset (OffsetIdPrinterParser). One whose printed parts are all zero is none.
ACC_HD inline void print_offset(OffsetStyle style, int32 offset, PatternText& text) {
  const int32 size = offset < 0 ? -offset : offset;
  const int32 minutes = size / 60 % 60;
  const bool shows_minutes = style.has_minutes || minutes > 0;
  const bool shows_seconds = style.has_seconds && size % 60 > 0;
  if (size / 60 == 0 && !shows_seconds) return print_no_offset(style, text);
  text.add(offset < 0 ? '-' : '+');
  add_two_digits(text, size / 3600);
  if (!shows_minutes) return;
  if (style.has_colons) text.add(':');
  add_two_digits(text, minutes);
  if (!shows_seconds) return;
  if (style.has_colons) text.add(':');
  add_two_digits(text, size % 60);
}

ACC_HD inline void print_item(const PatternItem& item, const PrintedTime& time, PatternText& text) {
  switch (item.kind) {
    case PatternItem::Kind::Literal:
      return text.add(item.byte);
    case PatternItem::Kind::Number:
      return print_number(item, time.value_of(item.field), text);
    case PatternItem::Kind::YearOfCentury: {
      const int32 year = time.value_of(item.field);
      return add_two_digits(text, (year < 0 ? -year : year) % 100);
    }
    case PatternItem::Kind::Name:
      return text.add(name_of(item.field, time.value_of(item.field), item.is_full));
    case PatternItem::Kind::Fraction:
      return print_fraction(item, time.micro, text);
    case PatternItem::Kind::Offset:
      return print_offset(item.offset, time.offset, text);
    case PatternItem::Kind::OptionalBegin:
    case PatternItem::Kind::OptionalEnd:
      return;
  }
}

/// Prints a timestamp in a time zone by a valid pattern.
ACC_HD inline PatternText print_by_pattern(const DatePattern& pattern, int64 micros, const types::TimeZone& zone) {
  const PrintedTime time(micros, zone);
  PatternText text;
  for (int32 i = 0; i < pattern.num_items; ++i) print_item(pattern.items[i], time, text);
  return text;
}

}  // namespace accelerant::functions
