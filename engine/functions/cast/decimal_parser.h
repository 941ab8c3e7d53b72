#pragma once

#include "functions/arithmetic/integer.h"
#include "functions/cast/number_text.h"
#include "types/decimal.h"
#include "types/utf8.h"

namespace accelerant::functions {

/// Characters that stand for 0 in scripts of the basic plane, nine more digits behind each (Unicode's category Nd).
inline constexpr uint16 kZeros[] = {0x0030, 0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6,
                                    0x0c66, 0x0ce6, 0x0d66, 0x0de6, 0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0,
                                    0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620,
                                    0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10};

/// Returns what a character stands for as a digit, or -1 (java.lang.Character.digit).
ACC_HD inline int32 digit_value(int32 character) {
  for (const uint16 zero : kZeros) {
    if (character >= zero && character < zero + 10) return character - zero;
  }
  return -1;
}

/// Reads a decimal number as java.math.BigDecimal does: [sign] digits [. digits] [e [sign] digits], in any script.
class DecimalParser {
 public:
  ACC_HD explicit DecimalParser(types::StringRef text) {
    text = trim_up_to_space(text);
    negative_ = take_sign(text);
    number_ = text;
    read_number();
  }

  ACC_HD bool is_valid() const { return is_valid_; }

  /// Rounds to a scale, halves away from zero; ORs `code` into `error` where a decimal of that many digits, or Spark's
  /// largest one, can't hold it.
  template <class E>
  ACC_HD int128 rounded(int32 precision, int32 scale, E code, E& error) const {
    const int64 own_scale = num_fraction_digits_ - exponent_;
    const int64 kept = num_digits_ + scale - own_scale;  // digits before the last place of the result
    if (num_digits_ == 0) return 0;
    if (num_digits_ - own_scale > kMaxPrecision || kept > precision) {
      error |= code;
      return 0;
    }
    const int128 value = kept < 0 ? 0 : leading_digits(kept);
    if (value >= types::power_of_ten(precision)) error |= code;
    return negative_ ? -value : value;
  }

 private:
  static constexpr int64 kMaxPrecision = 38;

  /// Returns the first `count` digits, at most 38, as a number, rounded by the next one.
  ACC_HD int128 leading_digits(int64 count) const {
    int128 value = 0;
    int64 seen = 0;
    for (int32 at = 0; at < end_ && seen <= count;) {
      const int32 digit = digit_value(types::decode_character(number_, at));
      if (digit < 0 || (seen == 0 && digit == 0)) continue;
      ++seen;
      if (seen <= count) {
        value = value * 10 + digit;
      } else {
        value += digit >= 5;
      }
    }
    for (; seen < count; ++seen) value *= 10;
    return value;
  }

  ACC_HD void read_number() {
    bool has_digits = false;
    bool has_point = false;
    is_valid_ = true;
    int32 at = 0;
    while (is_valid_ && at < number_.length) {
      end_ = at;
      const int32 character = types::decode_character(number_, at);
      const int32 digit = digit_value(character);
      if (digit >= 0) {
        has_digits = true;
        num_digits_ += num_digits_ > 0 || digit > 0;
        num_fraction_digits_ += has_point;
      } else if (character == '.' && !has_point) {
        has_point = true;
      } else {
        is_valid_ = (character == 'e' || character == 'E') && read_exponent(types::slice(number_, at, number_.length));
        is_valid_ &= has_digits;
        return;
      }
    }
    end_ = at;
    is_valid_ = has_digits;
  }

  /// Takes at most ten digits after leading zeros, within what a scale of BigDecimal can express.
  ACC_HD bool read_exponent(types::StringRef text) {
    const bool negative = take_sign(text);
    int64 value = 0;
    if (text.length == 0) return false;
    for (int32 at = 0; at < text.length;) {
      const int32 digit = digit_value(types::decode_character(text, at));
      if (digit < 0) return false;
      value = value * 10 + digit;
      if (value > 9999999999) return false;
    }
    exponent_ = negative ? -value : value;
    const int64 scale = num_fraction_digits_ - exponent_;
    return scale >= -kMaxScale && scale <= kMaxScale;
  }
  static constexpr int64 kMaxScale = 0x7fffffff;

  types::StringRef number_{};
  int32 end_ = 0;  ///< of the digits
  bool negative_ = false;
  bool is_valid_ = false;
  int64 num_digits_ = 0;  ///< from the first that is not 0
  int64 num_fraction_digits_ = 0;
  int64 exponent_ = 0;
};

}  // namespace accelerant::functions
