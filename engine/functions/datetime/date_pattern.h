#pragma once

#include "types/string_view.h"

// A pattern of dates and times, compiled: what Spark's DateTimeFormatterHelper has java.time's DateTimeFormatterBuilder
// make of one.

namespace accelerant::functions {

/// What a part of a pattern stands for.
enum class DateField : uint8 {
  Year,
  YearOfEra,
  Era,  ///< 0 before year 1, 1 from it on
  Month,
  Day,
  DayOfYear,
  Hour,             ///< of the day, 0 to 23
  ClockHour,        ///< of the day, 1 to 24
  HourOfHalf,       ///< of the half day, 0 to 11
  ClockHourOfHalf,  ///< of the half day, 1 to 12
  HalfDay,          ///< 0 before noon, 1 after
  Minute,
  Second,
  Nano,
  Offset,   ///< seconds ahead of UTC
  Quarter,  ///< printed only, as is the weekday
  Weekday,
};
inline constexpr int32 kNumParsedFields = 15;
ACC_HD constexpr uint32 bit_of(DateField field) { return uint32{1} << static_cast<int32>(field); }

/// Which signs a number has (java.time.format.SignStyle).
enum class SignStyle : uint8 {
  None,        ///< none, and no negative numbers
  Negative,    ///< - before negative numbers
  BeyondWidth  ///< that, and + before numbers with more digits than the least
};

/// How an offset from UTC is written.
struct OffsetStyle {
  bool has_z;               ///< no offset is Z, else zeros
  bool has_colons;          ///< between the parts
  bool has_minutes;         ///< always, else where they are not zero
  bool has_seconds;         ///< where they are not zero, else never
  bool has_hours_for_zero;  ///< zeros are those of the hour alone
};

/// A part of a pattern.
struct PatternItem {
  enum class Kind : uint8 {
    Literal,  ///< one byte
    Number,
    YearOfCentury,  ///< two digits, from 2000 on when they are read
    Name,
    Fraction,  ///< digits of the second
    Offset,
    OptionalBegin,
    OptionalEnd,
  };

  Kind kind = Kind::Literal;
  DateField field = DateField::Year;
  SignStyle sign = SignStyle::None;
  uint8 min_width = 0;
  uint8 max_width = 0;
  uint8 reserved_width = 0;  ///< digits that a number leaves to the numbers of fixed width right behind it
  char byte = 0;             ///< the literal
  bool is_full = false;      ///< of a name: all of it
  uint8 end = 0;             ///< of the beginning of an optional section: the index of its end
  OffsetStyle offset{};

  ACC_HD bool is_fixed() const { return min_width == max_width && sign == SignStyle::None; }
};

/// A compiled pattern.
struct DatePattern {
  static constexpr int32 kMaxItems = 48;
  static constexpr int32 kMaxDepth = 4;  ///< of optional sections
  static constexpr int32 kMaxTextBytes = 64;

  PatternItem items[kMaxItems];
  int32 num_items = 0;
  int32 max_text_bytes = 0;   ///< of what it prints
  bool has_optional = false;  ///< sections, to be parsed
  /// Bytes of the texts whose parts have fixed places: each number is of its least width, and none is read twice. -1:
  /// there are no such texts.
  int32 fixed_bytes = -1;
  uint32 fixed_fields = 0;  ///< what such a text says, a bit each
  bool is_valid = true;     ///< false where Spark fails, or alone knows what the pattern means
};

/// What a pattern is for: Spark understands some parts differently.
enum class PatternUse : uint8 { Print, Parse };

}  // namespace accelerant::functions
