#pragma once

#include "functions/datetime/date_names.h"
#include "functions/datetime/parsed_fields.h"

namespace accelerant::functions {

/// How far a text fits a pattern.
enum class Fit : uint8 {
  Yes,
  No,          ///< not here; behind an optional section it may
  Never,       ///< Java gives up
  NeedsSpark,  ///< only Java knows
};

/// Reads a text by the parts of a pattern, letters of either case (java.time's printers and parsers).
class PatternScanner {
 public:
  PatternScanner() = default;
  ACC_HD explicit PatternScanner(types::StringRef text) : next_(text.data), end_(text.data + text.length) {}

  ACC_HD Fit take(const PatternItem& item) {
    switch (item.kind) {
      case PatternItem::Kind::Literal:
        return take_byte(item.byte);
      case PatternItem::Kind::Number:
      case PatternItem::Kind::YearOfCentury:
        return item.is_fixed() ? take_fixed(item) : take_number(item);
      case PatternItem::Kind::Fraction:
        return take_fraction(item);
      case PatternItem::Kind::Offset:
        return take_offset(item.offset);
      case PatternItem::Kind::Name:
      case PatternItem::Kind::OptionalBegin:
      case PatternItem::Kind::OptionalEnd:
        break;
    }
    return take_name(item);
  }

  ACC_HD bool at_end() const { return next_ == end_; }
  ACC_HD ParsedFields& fields() { return fields_; }

 private:
  static constexpr int32 kMaxDigits = 18;  ///< of a number that surely is an int64

  ACC_HD int64 rest() const { return end_ - next_; }
  ACC_HD Fit put(DateField field, int64 value) { return fields_.put(field, value) ? Fit::Yes : Fit::No; }

  ACC_HD static char lower(char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte; }

  /// Says whether a character begins that Java takes for an ASCII letter: a dotless i or a dotted I, a long s, the sign
  /// of the kelvin.
  ACC_HD static bool may_be_letter(const char* next, int64 rest) {
    if (rest < 2) return false;
    const auto first = static_cast<uint8>(next[0]);
    const auto second = static_cast<uint8>(next[1]);
    return (first == 0xc4 && (second == 0xb0 || second == 0xb1)) || (first == 0xc5 && second == 0xbf) ||
           (first == 0xe2 && second == 0x84);
  }

  ACC_HD Fit take_byte(char byte) {
    if (at_end()) return Fit::No;
    if (lower(*next_) != lower(byte))
      return is_letter(byte) && may_be_letter(next_, rest()) ? Fit::NeedsSpark : Fit::No;
    ++next_;
    return Fit::Yes;
  }

  /// Takes a word, or nothing.
  ACC_HD Fit take_word(types::StringRef word) {
    if (rest() < word.length) return Fit::No;
    for (int32 i = 0; i < word.length; ++i) {
      if (lower(next_[i]) == lower(word.data[i])) continue;
      return may_be_letter(next_ + i, rest() - i) ? Fit::NeedsSpark : Fit::No;
    }
    next_ += word.length;
    return Fit::Yes;
  }

  /// Takes a number of a fixed number of digits (NumberPrinterParser, ReducedPrinterParser).
  ACC_HD Fit take_fixed(const PatternItem& item) {
    if (rest() < item.min_width) return Fit::No;
    int64 value = 0;
    bool are_digits = true;
    for (int32 i = 0; i < item.min_width; ++i) {
      const auto digit = static_cast<uint32>(next_[i] - '0');
      are_digits &= digit <= 9;
      value = value * 10 + digit;
    }
    const bool is_year = item.kind == PatternItem::Kind::YearOfCentury;
    if (!are_digits || !fields_.put(item.field, is_year ? 2000 + value : value)) return Fit::No;
    next_ += item.min_width;
    return Fit::Yes;
  }

  ACC_HD int32 count_digits(int64 from, int32 most) const {
    int32 count = 0;
    while (count < most && from + count < rest() && types::is_digit(next_[from + count])) ++count;
    return count;
  }

  /// Takes a number (NumberPrinterParser).
  ACC_HD Fit take_number(const PatternItem& item) {
    if (at_end()) return Fit::No;
    const char sign = *next_;
    const bool has_sign = is_sign(sign);
    if (has_sign && item.sign == SignStyle::None) return Fit::No;
    if (sign == '+' && item.sign != SignStyle::BeyondWidth) return Fit::No;
    int32 digits = count_digits(has_sign, item.max_width + item.reserved_width);
    if (digits < item.min_width) return Fit::No;
    if (item.reserved_width > 0) {
      digits = digits - item.reserved_width > item.min_width ? digits - item.reserved_width : item.min_width;
    }
    if (digits > kMaxDigits) return Fit::NeedsSpark;
    int64 value = 0;
    for (int32 i = 0; i < digits; ++i) value = value * 10 + (next_[has_sign + i] - '0');
    const bool goes_beyond = digits > item.min_width;
    if (sign == '-' && value == 0) return Fit::No;
    if (sign != '-' && item.sign == SignStyle::BeyondWidth && goes_beyond != (sign == '+')) return Fit::No;
    if (!fields_.put(item.field, sign == '-' ? -value : value)) return Fit::No;
    next_ += has_sign + digits;
    return Fit::Yes;
  }

  /// Takes digits of the second (FractionPrinterParser).
  ACC_HD Fit take_fraction(const PatternItem& item) {
    const int32 digits = count_digits(0, item.max_width);
    if (digits == 0) return Fit::No;
    int64 nano = 0;
    for (int32 i = 0; i < 9; ++i) nano = nano * 10 + (i < digits ? next_[i] - '0' : 0);
    if (!fields_.put(DateField::Nano, nano)) return Fit::No;
    next_ += digits;
    return Fit::Yes;
  }

  ACC_HD Fit take_name(const PatternItem& item) {
    const bool is_month = item.field == DateField::Month;
    for (int32 i = 0; i < (is_month ? 12 : 2); ++i) {
      const types::StringRef name = is_month                       ? name_of_month(i + 1, item.is_full)
                                    : item.field == DateField::Era ? name_of_era(i, item.is_full)
                                                                   : name_of_half_day(i);
      const Fit fit = take_word(name);
      if (fit == Fit::Yes) return put(item.field, is_month ? i + 1 : i);
      if (fit == Fit::NeedsSpark) return fit;
    }
    return Fit::No;
  }

  ACC_HD Fit take_no_offset(OffsetStyle style) {
    if (style.has_z) return take_word({"Z", 1});
    if (style.has_hours_for_zero) return take_word({"+00", 3});
    return style.has_colons ? take_word({"+00:00", 6}) : take_word({"+0000", 5});
  }

  /// Takes two digits of an offset below 60, behind a colon or not.
  ACC_HD bool take_part(bool has_colon, int32& value) {
    if (rest() < has_colon + 2 || (has_colon && *next_ != ':')) return false;
    const char* digits = next_ + has_colon;
    if (!types::is_digit(digits[0]) || !types::is_digit(digits[1]) || digits[0] > '5') return false;
    value = (digits[0] - '0') * 10 + (digits[1] - '0');
    next_ = digits + 2;
    return true;
  }

  /// Takes an offset from UTC (OffsetIdPrinterParser).
  ACC_HD Fit take_offset(OffsetStyle style) {
    if (at_end()) return Fit::No;
    if (take_no_offset(style) == Fit::Yes) return put(DateField::Offset, 0);
    const char sign = *next_;
    if (!is_sign(sign)) return Fit::No;
    const char* begin = next_++;
    int32 hours = 0;
    int32 minutes = 0;
    int32 seconds = 0;
    const bool has_hours = take_part(false, hours);
    const bool has_minutes = has_hours && take_part(style.has_colons, minutes);
    if (has_minutes && style.has_seconds) take_part(style.has_colons, seconds);
    if (!has_hours || (style.has_minutes && !has_minutes)) {
      next_ = begin;
      return Fit::No;
    }
    if (hours > 23) return Fit::Never;
    const int32 offset = hours * 3600 + minutes * 60 + seconds;
    return put(DateField::Offset, sign == '-' ? -offset : offset);
  }

  const char* next_ = nullptr;
  const char* end_ = nullptr;
  ParsedFields fields_;
};

}  // namespace accelerant::functions
