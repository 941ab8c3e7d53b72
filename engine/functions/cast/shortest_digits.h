#pragma once

#include "functions/cast/written_digits.h"

// The shortest digits that read back as a number, at least two, the closest of those (G. L. Steele and J. L. White,
// "How to print floating-point numbers accurately", 1990, as amended by R. G. Burger and R. K. Dybvig, 1996).

namespace accelerant::functions {

/// Digits as Java makes them from 19 on.
template <int N>
class ShortestDigits {
 public:
  using WideDigits = types::WideUnsigned<N>;

  ACC_HD ACC_OUTLINE explicit ShortestDigits(const BinaryNumber& number)
      : is_even_((number.fraction >> unused(number) & 1) == 0) {
    // number = rest / unit; the next numbers are 2 * gap / unit away.
    const int32 twos = number.exponent - 52;
    const bool is_power = (number.fraction & (number.fraction - 1)) == 0;
    const int32 up = twos > 0 ? twos : 0;
    const int32 down = twos < 0 ? -twos : 0;
    rest_ = wide_scaled<N>(number.fraction, 0, up + 2);
    unit_ = wide_scaled<N>(1, 0, down + 2);
    gap_above_ = wide_scaled<N>(1, 0, up + unused(number) + 1);
    // Below a power of two numbers are twice as close, unless it is subnormal or the smallest that is not.
    gap_below_ = is_power && is_full(number) ? wide_scaled<N>(1, 0, up + unused(number)) : gap_above_;
  }

  ACC_HD ACC_OUTLINE JavaDigits generate(const BinaryNumber& number) {
    JavaDigits result;
    result.exponent = static_cast<int32>(number.exponent * 0.30102999566398) - 1;
    scale(result.exponent);
    while (is_above()) {
      unit_.multiply(10);
      ++result.exponent;
    }
    bool is_low = false;
    bool is_high = false;
    do {
      rest_.multiply(10);
      gap_above_.multiply(10);
      gap_below_.multiply(10);
      result.add(take_digit(rest_, unit_));
      const int low = rest_.compare(gap_below_);
      is_low = low < 0 || (low == 0 && is_even_);
      is_high = is_above();
    } while (!is_low && !is_high);
    if (result.count == 1) {
      rest_.multiply(10);
      result.add(take_digit(rest_, unit_));
      is_low = is_high = true;
    }
    if (is_high && (!is_low || rounds_up(result))) result.round_up();
    return result;
  }

 private:
  /// Low bits of the fraction that the type does not have.
  ACC_HD static int32 unused(const BinaryNumber& number) { return 53 - number.precision; }
  ACC_HD static bool is_full(const BinaryNumber& number) {
    return (number.precision == 53 && number.exponent > -1022) || (number.precision == 24 && number.exponent > -126);
  }

  /// Divides by 10^exponent.
  ACC_HD void scale(int32 exponent) {
    for (; exponent > 0; --exponent) unit_.multiply(10);
    for (; exponent < 0; ++exponent) {
      rest_.multiply(10);
      gap_above_.multiply(10);
      gap_below_.multiply(10);
    }
  }

  /// Says whether a whole unit reads back as the number, or is below it.
  ACC_HD ACC_OUTLINE bool is_above() const {
    WideDigits sum = rest_;
    sum.add(gap_above_);
    const int order = sum.compare(unit_);
    return order > 0 || (order == 0 && is_even_);
  }

  ACC_HD bool rounds_up(const JavaDigits& digits) const {
    WideDigits twice = rest_;
    twice.multiply(2);
    const int order = twice.compare(unit_);
    return order > 0 || (order == 0 && (digits.digits[digits.count - 1] & 1) != 0);
  }

  bool is_even_;
  WideDigits rest_;
  WideDigits unit_;
  WideDigits gap_above_;
  WideDigits gap_below_;
};

}  // namespace accelerant::functions
