#pragma once

#include "functions/datetime/parse_zone.h"
#include "functions/datetime/pattern_builder.h"
#include "types/utf8.h"

namespace accelerant::functions {

/// Reads a pattern from its start to its end. Letters and shapes whose meaning is only Spark's or Java's to know make
/// it invalid: names of zones, week-based fields, two quotes side by side.
class PatternCompiler {
 public:
  ACC_HD PatternCompiler(types::StringRef text, PatternUse use)
      : text_(text), prints_(use == PatternUse::Print), has_era_(says_era(text)), pattern_(prints_) {}

  ACC_HD DatePattern compile() {
    while (at_ < text_.length && pattern_.is_valid()) read_part();
    return pattern_.finish();
  }

 private:
  /// Says whether there is a G outside quotes: then years are those of an era.
  ACC_HD static bool says_era(types::StringRef text) {
    bool is_quoted = false;
    for (int32 i = 0; i < text.length; ++i) {
      if (text.data[i] == '\'') is_quoted = !is_quoted;
      if (text.data[i] == 'G' && !is_quoted) return true;
    }
    return false;
  }

  ACC_HD void read_part() {
    const char byte = text_.data[at_];
    if (is_letter(byte)) return read_letters(byte);
    if (byte == '\'') return read_quoted();
    ++at_;
    if (byte == '[') return pattern_.begin_optional();
    if (byte == ']') return pattern_.end_optional();
    if (byte == '{' || byte == '}' || byte == '#') return pattern_.refuse();
    --at_;
    add_literal();
  }

  /// Takes one character as it is. Of those that are not ASCII, a parser takes some without upper and lower case alone.
  ACC_HD void add_literal() {
    const int32 begin = at_;
    const int32 character = types::decode_character(text_, at_);
    const bool has_no_case = character >= 0x3000 && character <= 0x9fff;
    const bool is_plain = character < 0x80 ? character >= ' ' && character < 0x7f : prints_ || has_no_case;
    if (!is_plain || character == types::kReplacementCharacter) return pattern_.refuse();
    for (int32 i = begin; i < at_; ++i) pattern_.add_literal(text_.data[i]);
  }

  ACC_HD void read_quoted() {
    const int32 begin = ++at_;
    while (at_ < text_.length && text_.data[at_] != '\'' && pattern_.is_valid()) add_literal();
    const bool is_closed = at_ < text_.length && at_ > begin;
    const bool is_doubled = at_ + 1 < text_.length && text_.data[at_ + 1] == '\'';
    if (!is_closed || is_doubled) return pattern_.refuse();
    ++at_;
  }

  ACC_HD void read_letters(char letter) {
    const int32 begin = at_;
    while (at_ < text_.length && text_.data[at_] == letter) ++at_;
    const int32 count = at_ - begin;
    switch (letter) {
      case 'y':
        return pattern_.add_year(count, has_era_);
      case 'M':
      case 'L':
        return pattern_.add_number_or_name(DateField::Month, count);
      case 'D':
        return pattern_.add_number(DateField::DayOfYear, count, 3);
      case 'S':
        return pattern_.add_fraction(count);
      case 'X':
      case 'x':
      case 'Z':
        return pattern_.add_offset(letter, count);
      case 'G':
        return pattern_.add_name(DateField::Era, count == 4, count <= 4);
      case 'a':
        return pattern_.add_name(DateField::HalfDay, false, count == 1);
      case 'E':
        return pattern_.add_name(DateField::Weekday, count == 4, prints_ && count <= 4);
      case 'Q':
      case 'q':
        return prints_ ? pattern_.add_number_or_name(DateField::Quarter, count) : pattern_.refuse();
      default:
        return add_part_of_day(letter, count);
    }
  }

  ACC_HD void add_part_of_day(char letter, int32 count) {
    switch (letter) {
      case 'd':
        return pattern_.add_number(DateField::Day, count);
      case 'H':
        return pattern_.add_number(DateField::Hour, count);
      case 'k':
        return pattern_.add_number(DateField::ClockHour, count);
      case 'K':
        return pattern_.add_number(DateField::HourOfHalf, count);
      case 'h':
        return pattern_.add_number(DateField::ClockHourOfHalf, count);
      case 'm':
        return pattern_.add_number(DateField::Minute, count);
      case 's':
        return pattern_.add_number(DateField::Second, count);
      default:
        return pattern_.refuse();
    }
  }

  types::StringRef text_;
  bool prints_;
  bool has_era_;
  int32 at_ = 0;
  PatternBuilder pattern_;
};

/// Compiles a pattern.
ACC_HD inline DatePattern compile_pattern(types::StringRef text, PatternUse use) {
  return PatternCompiler(text, use).compile();
}

}  // namespace accelerant::functions
