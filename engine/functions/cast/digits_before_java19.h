#pragma once

#include "functions/cast/written_digits.h"

// The digits that Java before 19 writes. It ends a digit too soon or too late now and then: it looks at a number as if
// its neighbours were at equal distances, and what it does when an intermediate overflows shows. Its answers are part
// of Spark's, so they are made in the same steps.

namespace accelerant::functions {

/// Steps of Java before 19 in integers of 32 or 64 bits, which wrap around.
template <class Int, class Unsigned>
struct MachineSteps {
  Int rest;      ///< what is left of the number
  Int unit;      ///< what a digit of 1 is worth
  Int half_gap;  ///< half the distance to the next number
  Int ten_units;
  bool is_low = false;   ///< the digits so far read back as the number
  bool is_high = false;  ///< so would they with one more in the last place

  ACC_HD MachineSteps(uint64 fraction, int32 fives, int32 twos, int32 unit_fives, int32 unit_twos, int32 gap_twos)
      : rest(scaled(static_cast<Unsigned>(fraction), fives, twos)),
        unit(scaled(1, unit_fives, unit_twos)),
        half_gap(scaled(1, fives, gap_twos)),
        ten_units(times_ten(unit)) {}

  ACC_HD ACC_OUTLINE int32 step(bool is_first) {
    const auto digit = static_cast<int32>(rest / unit);
    rest = times_ten(rest % unit);
    half_gap = times_ten(half_gap);
    if (is_first || half_gap > 0) {
      is_low = rest < half_gap;
      is_high = sum(rest, half_gap) > ten_units;
    } else {
      is_low = is_high = true;
    }
    return digit;
  }

  /// Compares the rest with half a unit: negative, 0 or positive.
  ACC_HD int64 above_half() const {
    return static_cast<Int>(static_cast<Unsigned>(rest) * 2 - static_cast<Unsigned>(ten_units));
  }

 private:
  ACC_HD static Int scaled(Unsigned value, int32 fives, int32 twos) {
    for (; fives > 0; --fives) value *= 5;
    return static_cast<Int>(value << twos);
  }
  ACC_HD static Int times_ten(Int value) { return static_cast<Int>(static_cast<Unsigned>(value) * 10); }
  ACC_HD static Int sum(Int a, Int b) { return static_cast<Int>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b)); }
};

/// The same in integers that hold everything; the upper bound counts here.
template <int N>
struct WideSteps {
  using WideDigits = types::WideUnsigned<N>;

  WideDigits rest;
  WideDigits unit;
  WideDigits half_gap;
  WideDigits ten_units;
  bool is_low = false;
  bool is_high = false;

  ACC_HD WideSteps(uint64 fraction, int32 fives, int32 twos, int32 unit_fives, int32 unit_twos, int32 gap_twos)
      : rest(wide_scaled<N>(fraction, fives, twos)),
        unit(wide_scaled<N>(1, unit_fives, unit_twos)),
        half_gap(wide_scaled<N>(1, fives, gap_twos)),
        ten_units(unit) {
    ten_units.multiply(10);
  }

  ACC_HD ACC_OUTLINE int32 step(bool) {
    const int32 digit = take_digit(rest, unit);
    rest.multiply(10);
    half_gap.multiply(10);
    WideDigits sum = rest;
    sum.add(half_gap);
    is_low = rest.compare(half_gap) < 0;
    is_high = ten_units.compare(sum) <= 0;
    return digit;
  }

  ACC_HD int64 above_half() const {
    WideDigits twice = rest;
    twice.multiply(2);
    return twice.compare(ten_units);
  }
};

/// Digits as Java before 19 makes them.
class DigitsBeforeJava19 {
 public:
  ACC_HD ACC_OUTLINE static JavaDigits of(const BinaryNumber& number) {
    int32 zeros = 0;
    while ((number.fraction >> zeros & 1) == 0) ++zeros;
    const int32 num_bits = 53 - zeros;
    const int32 bits_behind_point = num_bits > number.exponent + 1 ? num_bits - number.exponent - 1 : 0;
    if (bits_behind_point == 0 && number.exponent <= 62) return of_integer(number);

    const int32 exponent = estimate_exponent(number);
    const int32 fives = exponent < 0 ? -exponent : 0;
    const int32 unit_fives = exponent > 0 ? exponent : 0;
    int32 twos = fives + bits_behind_point + number.exponent;
    int32 gap_twos = twos - number.precision;
    int32 unit_twos = unit_fives + bits_behind_point;
    twos -= num_bits - 1;
    const int32 common = twos < unit_twos ? twos : unit_twos;
    twos -= common;
    unit_twos -= common;
    gap_twos -= common + (num_bits == 1);
    if (gap_twos < 0) {
      twos -= gap_twos;
      unit_twos -= gap_twos;
      gap_twos = 0;
    }
    const uint64 fraction = number.fraction >> zeros;
    const int32 width = num_bits + twos + width_of_fives(fives);
    const int32 unit_width = unit_twos + 1 + width_of_fives(unit_fives + 1);
    if (width < 32 && unit_width < 32) {
      return generate(MachineSteps<int32, uint32>(fraction, fives, twos, unit_fives, unit_twos, gap_twos), exponent);
    }
    if (width < 64 && unit_width < 64) {
      return generate(MachineSteps<int64, uint64>(fraction, fives, twos, unit_fives, unit_twos, gap_twos), exponent);
    }
    if (width < 32 * (kFewLimbs - 1) - 8 && unit_width < 32 * (kFewLimbs - 1) - 8) {
      return generate(WideSteps<kFewLimbs>(fraction, fives, twos, unit_fives, unit_twos, gap_twos), exponent);
    }
    return generate(WideSteps<kManyLimbs>(fraction, fives, twos, unit_fives, unit_twos, gap_twos), exponent);
  }

 private:
  /// Whole numbers: all digits but those below the precision, rounded, and no zeros at the end.
  ACC_HD static JavaDigits of_integer(const BinaryNumber& number) {
    uint64 value =
        number.exponent >= 52 ? number.fraction << (number.exponent - 52) : number.fraction >> (52 - number.exponent);
    JavaDigits result;
    if (number.exponent > number.precision) {
      // The digits of 2^(bits below the precision), less one.
      uint64 power = 1;
      const uint64 below = uint64{1} << (number.exponent - number.precision - 1);
      for (; power <= below / 10; power *= 10) ++result.exponent;
      if (power > 1) value = value / power + (value % power >= power / 2);
    }
    for (; value % 10 == 0; value /= 10) ++result.exponent;
    char reversed[JavaDigits::kMaxDigits];
    int32 count = 0;
    for (; value != 0; value /= 10) reversed[count++] = static_cast<char>(value % 10);
    result.exponent += count;
    while (count > 0) result.add(reversed[--count]);
    return result;
  }

  /// Estimates the exponent of the first digit; one too high at most.
  ACC_HD static int32 estimate_exponent(const BinaryNumber& number) {
    const double mantissa = types::double_of((number.fraction & ((uint64{1} << 52) - 1)) | uint64{1023} << 52);
    const double estimate =
        (mantissa - 1.5) * 0.289529654 + 0.176091259 + static_cast<double>(number.exponent) * 0.301029995663981;
    const auto cut = static_cast<int32>(estimate);
    return estimate < cut ? cut - 1 : cut;
  }

  /// Bits of 5^power, no fewer.
  ACC_HD static int32 width_of_fives(int32 power) {
    if (power == 0) return 0;
    return power < 27 ? power * 2322 / 1000 + 1 : power * 3;
  }

  template <class Steps>
  ACC_HD ACC_OUTLINE static JavaDigits generate(Steps steps, int32 exponent) {
    JavaDigits result;
    const int32 first = steps.step(true);
    if (first == 0 && !steps.is_high) {
      --exponent;
    } else {
      result.add(first);
    }
    bool is_done = (steps.is_low || steps.is_high) && exponent >= -3 && exponent < 8;
    bool is_low = is_done && steps.is_low;
    bool is_high = is_done && steps.is_high;
    while (!is_done) {
      result.add(steps.step(false));
      is_low = steps.is_low;
      is_high = steps.is_high;
      is_done = is_low || is_high;
    }
    result.exponent = exponent + 1;
    const int64 above_half = steps.above_half();
    const bool is_odd = (result.digits[result.count - 1] & 1) != 0;
    if (is_high && (!is_low || above_half > 0 || (above_half == 0 && is_odd))) result.round_up();
    return result;
  }
};

}  // namespace accelerant::functions
