#pragma once

#include "functions/cast/nearest_floating.h"
#include "functions/cast/number_text.h"

namespace accelerant::functions {

/// Reads a number without its sign as Java's parseDouble and parseFloat do, with Spark's words: decimal or hexadecimal,
/// perhaps with a suffix.
template <class F>
class FloatingParser {
 public:
  /// @param has_sign whether there was a sign before the text
  ACC_HD FloatingParser(types::StringRef text, bool has_sign) : text_(text) {
    if (is_word(text, "inf") || is_word(text, "infinity")) {
      accept(FloatingFormat<F>::of(infinite_bits<F>()));
    } else if (has_sign && is_nan()) {
      accept(__builtin_bit_cast(float, 0x7fc00000));
    } else if (text.length > 1 && text.data[0] == '0' && (text.data[1] | 0x20) == 'x') {
      read_hexadecimal();
    } else {
      read_decimal();
    }
  }

  ACC_HD bool is_valid() const { return is_valid_; }
  ACC_HD F value() const { return value_; }

 private:
  ACC_HD void accept(F value) {
    value_ = value;
    is_valid_ = true;
  }

  /// With a sign, only Java's own spelling.
  ACC_HD bool is_nan() const {
    return text_.length == 3 && text_.data[0] == 'N' && text_.data[1] == 'a' && text_.data[2] == 'N';
  }

  ACC_HD bool is_end() const { return at_ == text_.length; }
  ACC_HD bool take(char small) {
    if (is_end() || (text_.data[at_] | 0x20) != small) return false;
    ++at_;
    return true;
  }

  /// Reads an exponent's sign and digits, at least one; large ones are as good as any larger.
  ACC_HD bool read_exponent(int64& exponent) {
    constexpr int64 kLarge = 1 << 30;
    const bool negative = !is_end() && text_.data[at_] == '-';
    if (!is_end() && (negative || text_.data[at_] == '+')) ++at_;
    if (is_end() || !types::is_digit(text_.data[at_])) return false;
    for (; !is_end() && types::is_digit(text_.data[at_]); ++at_) {
      if (exponent < kLarge) exponent = exponent * 10 + (text_.data[at_] - '0');
    }
    if (negative) exponent = -exponent;
    return true;
  }

  ACC_HD bool ends_with_suffix() {
    if (!take('d')) take('f');
    return is_end();
  }

  ACC_HD void read_decimal() {
    DecimalDigits number;
    bool has_digits = false;
    bool has_point = false;
    for (; !is_end(); ++at_) {
      const char c = text_.data[at_];
      if (c == '.' && !has_point) {
        has_point = true;
        continue;
      }
      if (!types::is_digit(c)) break;
      has_digits = true;
      number.num_digits += number.num_digits > 0 || c != '0';
      number.exponent -= has_point;
    }
    number.text = types::slice(text_, 0, at_);
    int64 exponent = 0;
    if (!has_digits || (take('e') && !read_exponent(exponent)) || !ends_with_suffix()) return;
    add_exponent(number, exponent);
    accept(nearest<F>(number));
  }

  /// Java forgets where the point is before an exponent that leads out of every range by itself.
  ACC_HD static void add_exponent(DecimalDigits& number, int64 exponent) {
    const int64 limit = 324 + number.num_digits;
    if (exponent > limit || exponent < -limit) number.exponent = -number.num_digits;
    number.exponent += exponent;
  }

  ACC_HD static int32 hexadecimal_value(char c) {
    if (types::is_digit(c)) return c - '0';
    const int32 small = c | 0x20;
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
  }

  ACC_HD void read_hexadecimal() {
    uint64 mantissa = 0;
    int64 exponent = 0;
    bool sticky = false;
    bool has_digits = false;
    bool has_point = false;
    for (at_ = 2; !is_end(); ++at_) {
      const char c = text_.data[at_];
      if (c == '.' && !has_point) {
        has_point = true;
        continue;
      }
      const int32 digit = hexadecimal_value(c);
      if (digit < 0) break;
      has_digits = true;
      if (has_point) exponent -= 4;
      if (mantissa >> 60 == 0) {
        mantissa = mantissa << 4 | static_cast<uint64>(digit);
      } else {
        sticky |= digit != 0;
        exponent += 4;
      }
    }
    int64 power = 0;
    if (!has_digits || !take('p') || !read_exponent(power) || !ends_with_suffix()) return;
    accept(mantissa == 0 ? F{0} : from_binary(mantissa, exponent + power, sticky));
  }

  ACC_HD static F from_binary(uint64 mantissa, int64 exponent, bool sticky) {
    for (; mantissa >> 63 == 0; mantissa <<= 1) --exponent;
    if (exponent > 2000) return FloatingFormat<F>::of(infinite_bits<F>());
    if (exponent < -2000) return 0;
    return FloatingFormat<F>::of(rounded_bits<F>(mantissa, static_cast<int32>(exponent), sticky));
  }

  types::StringRef text_;
  int32 at_ = 0;
  F value_ = 0;
  bool is_valid_ = false;
};

}  // namespace accelerant::functions
