#include "functions/arithmetic/add.h"
#include "functions/arithmetic/divide.h"
#include "functions/arithmetic/integral_divide.h"
#include "functions/arithmetic/multiply.h"
#include "functions/arithmetic/remainder.h"
#include "functions/arithmetic/subtract.h"
#include "functions/cast/cast_decimal.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

// Decimal bodies against schoolbook arithmetic on strings of digits.

namespace accelerant::functions {
namespace {

using types::DecimalContext;
using types::DecimalRange;

/// A natural number as decimal digits, the least first, without zeros at the end.
using Digits = std::vector<int>;

Digits trimmed(Digits digits) {
  while (!digits.empty() && digits.back() == 0) digits.pop_back();
  return digits;
}

Digits digits_of(uint128 value) {
  Digits digits;
  for (; value > 0; value /= 10) digits.push_back(static_cast<int>(value % 10));
  return digits;
}

uint128 value_of(const Digits& digits) {
  uint128 value = 0;
  for (size_t i = digits.size(); i-- > 0;) value = value * 10 + static_cast<uint128>(digits[i]);
  return value;
}

int compare(const Digits& a, const Digits& b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  for (size_t i = a.size(); i-- > 0;) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

Digits shifted(Digits digits, int places) {
  digits.insert(digits.begin(), static_cast<size_t>(places), 0);
  return trimmed(digits);
}

Digits sum(const Digits& a, const Digits& b) {
  Digits result;
  int carry = 0;
  for (size_t i = 0; i < std::max(a.size(), b.size()) || carry; ++i) {
    carry += (i < a.size() ? a[i] : 0) + (i < b.size() ? b[i] : 0);
    result.push_back(carry % 10);
    carry /= 10;
  }
  return trimmed(result);
}

Digits difference(const Digits& a, const Digits& b) {
  Digits result = a;
  for (size_t i = 0; i < b.size(); ++i) result[i] -= b[i];
  for (size_t i = 0; i + 1 < result.size(); ++i) {
    while (result[i] < 0) {
      result[i] += 10;
      --result[i + 1];
    }
  }
  return trimmed(result);
}

Digits product(const Digits& a, const Digits& b) {
  Digits result;
  for (size_t i = 0; i < b.size(); ++i) {
    for (int k = 0; k < b[i]; ++k) result = sum(result, shifted(a, static_cast<int>(i)));
  }
  return result;
}

/// Returns the quotient and leaves the rest in `a`.
Digits divide(Digits& a, const Digits& b) {
  Digits quotient(a.size(), 0);
  for (size_t i = a.size(); i-- > 0;) {
    const Digits step = shifted(b, static_cast<int>(i));
    while (compare(a, step) >= 0) {
      a = difference(a, step);
      ++quotient[i];
    }
  }
  return trimmed(quotient);
}

/// Drops digits at the end, halves rounding up.
Digits rounded(const Digits& a, int places) {
  if (places <= 0) return shifted(a, -places);
  if (static_cast<size_t>(places) > a.size()) return {};
  const Digits kept(a.begin() + places, a.end());
  return a[static_cast<size_t>(places) - 1] >= 5 ? sum(kept, {1}) : kept;
}

/// A result: its value, or what it failed with.
struct Result {
  int128 value = 0;
  uint64 error = 0;

  friend bool operator==(const Result& a, const Result& b) {
    return a.error == b.error && (a.error != 0 || a.value == b.value);
  }
  friend void PrintTo(const Result& result, std::ostream* out) {
    *out << (result.value < 0 ? "-" : "");
    const Digits digits = digits_of(types::magnitude(result.value));
    for (size_t i = digits.size(); i-- > 0;) *out << digits[i];
    *out << " error " << result.error;
  }
};

Result signed_result(const Digits& digits, bool negative, int precision) {
  if (digits.size() > static_cast<size_t>(precision)) return {0, kDecimalOverflow};
  const int128 value = static_cast<int128>(value_of(digits));
  return {negative ? -value : value, 0};
}

/// One pair of random decimals and their types.
struct Sample {
  int128 lhs;
  int128 rhs;
  DecimalContext context;
};

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  int below(int limit) { return static_cast<int>(engine_() % static_cast<uint32_t>(limit)); }
  int128 decimal(int precision) {
    Digits digits;
    const int length = below(4) == 0 ? precision : 1 + below(precision);
    const int kind = below(6);
    for (int i = 0; i < length; ++i) digits.push_back(kind == 0 ? 9 : kind == 1 ? (i + 1 == length) * 5 : below(10));
    const int128 value = static_cast<int128>(value_of(trimmed(digits)));
    return below(2) ? value : -value;
  }
  int precision() {
    constexpr int kPrecisions[] = {1, 5, 9, 15, 18, 19, 28, 37, 38};
    return kPrecisions[below(9)];
  }
  Sample sample() {
    Sample sample;
    DecimalContext& context = sample.context;
    context.left_precision = precision();
    context.right_precision = precision();
    context.left_scale = below(context.left_precision + 1);
    context.right_scale = below(context.right_precision + 1);
    sample.lhs = decimal(context.left_precision);
    sample.rhs = decimal(context.right_precision);
    return sample;
  }

 private:
  std::mt19937 engine_;
};

/// Fills the result's type; no precision and scale is more than 38.
void set_result(DecimalContext& context, int precision, int scale) {
  context.result_precision = precision;
  context.result_scale = scale;
  context = types::complete(context);
}

/// Runs the wide body, and the narrow one where the range proves it right.
template <class F>
void check(const Sample& sample, const Result& expected) {
  Result wide;
  wide.value = F::call_wide(sample.lhs, sample.rhs, sample.context, wide.error);
  EXPECT_EQ(wide, expected);
  const DecimalRange range =
      F::range(DecimalRange::of(sample.lhs, sample.lhs), DecimalRange::of(sample.rhs, sample.rhs), sample.context);
  if (!range.fits_int64() || !range.within(sample.context.limit)) return;
  Result narrow;
  const auto lhs = static_cast<int64>(sample.lhs);
  const auto rhs = static_cast<int64>(sample.rhs);
  if constexpr (requires { F::call_narrow(lhs, rhs, sample.context, narrow.error); }) {
    narrow.value = F::call_narrow(lhs, rhs, sample.context, narrow.error);
  } else {
    narrow.value = F::call_narrow(lhs, rhs, sample.context);
  }
  EXPECT_EQ(narrow, expected);
}

constexpr int kSamples = 3000;

template <class F>
void check_sums(bool negate_right) {
  Random random(11);
  for (int i = 0; i < kSamples; ++i) {
    Sample sample = random.sample();
    const int scale = std::max(sample.context.left_scale, sample.context.right_scale);
    set_result(sample.context, random.precision(), 0);
    set_result(sample.context, sample.context.result_precision,
               std::min(sample.context.result_precision, scale - random.below(2) * random.below(scale + 1)));
    const Digits left = shifted(digits_of(types::magnitude(sample.lhs)), scale - sample.context.left_scale);
    const Digits right = shifted(digits_of(types::magnitude(sample.rhs)), scale - sample.context.right_scale);
    const bool left_negative = sample.lhs < 0;
    const bool right_negative = (sample.rhs < 0) != negate_right;
    const bool left_larger = compare(left, right) >= 0;
    const Digits total = left_negative == right_negative ? sum(left, right)
                         : left_larger                   ? difference(left, right)
                                                         : difference(right, left);
    const bool negative = left_negative == right_negative || left_larger ? left_negative : right_negative;
    check<F>(sample, signed_result(rounded(total, scale - sample.context.result_scale), negative,
                                   sample.context.result_precision));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Decimal, Adds) { check_sums<Add>(false); }
TEST(Decimal, Subtracts) { check_sums<Subtract>(true); }

TEST(Decimal, Multiplies) {
  Random random(12);
  for (int i = 0; i < kSamples && !HasFailure(); ++i) {
    Sample sample = random.sample();
    const int scale = sample.context.left_scale + sample.context.right_scale;
    const int precision = random.precision();
    set_result(sample.context, precision, std::min({precision, scale, random.below(3) ? 38 : random.below(39)}));
    const Digits exact = product(digits_of(types::magnitude(sample.lhs)), digits_of(types::magnitude(sample.rhs)));
    check<Multiply>(sample, signed_result(rounded(exact, scale - sample.context.result_scale),
                                          (sample.lhs < 0) != (sample.rhs < 0), precision));
  }
}

TEST(Decimal, Divides) {
  Random random(13);
  for (int i = 0; i < kSamples && !HasFailure(); ++i) {
    Sample sample = random.sample();
    const int precision = random.precision();
    set_result(sample.context, precision, random.below(precision + 1));
    if (sample.rhs == 0) {
      check<Divide>(sample, {0, kDivideByZero});
      continue;
    }
    // Cut at scale 39, as Spark does, then rounded.
    Digits left =
        shifted(digits_of(types::magnitude(sample.lhs)), 39 - sample.context.left_scale + sample.context.right_scale);
    const Digits quotient = divide(left, digits_of(types::magnitude(sample.rhs)));
    check<Divide>(sample, signed_result(rounded(quotient, 39 - sample.context.result_scale),
                                        (sample.lhs < 0) != (sample.rhs < 0), precision));
  }
}

TEST(Decimal, DividesIntegrally) {
  Random random(14);
  for (int i = 0; i < kSamples && !HasFailure(); ++i) {
    Sample sample = random.sample();
    if (sample.rhs == 0) continue;
    const int scale = std::max(sample.context.left_scale, sample.context.right_scale);
    set_result(sample.context, 38, scale);
    Digits rest = shifted(digits_of(types::magnitude(sample.lhs)), scale - sample.context.left_scale);
    const Digits divisor = shifted(digits_of(types::magnitude(sample.rhs)), scale - sample.context.right_scale);
    const Digits quotient = divide(rest, divisor);
    bool impossible = false;
    for (size_t place = 0; place + 39 < quotient.size(); ++place) impossible |= quotient[place] != 0;
    const Result expected_rest = signed_result(rest, sample.lhs < 0, 38);
    check<Remainder>(sample, impossible ? Result{0, kOutOfRange} : expected_rest);
    const int digits =
        std::clamp(sample.context.left_precision - sample.context.left_scale + sample.context.right_scale, 1, 38);
    Result expected = signed_result(quotient, (sample.lhs < 0) != (sample.rhs < 0), digits);
    expected.value = static_cast<int64>(expected.value);
    if (impossible) expected.error = kOutOfRange;
    Result actual;
    actual.value = IntegralDivide::call_wide(sample.lhs, sample.rhs, sample.context, actual.error);
    EXPECT_EQ(actual, expected);
  }
}

TEST(Decimal, Rescales) {
  Random random(15);
  for (int i = 0; i < kSamples && !HasFailure(); ++i) {
    Sample sample = random.sample();
    const int precision = random.precision();
    set_result(sample.context, precision, random.below(precision + 1));
    const Digits digits = digits_of(types::magnitude(sample.lhs));
    const Result expected = signed_result(rounded(digits, sample.context.left_scale - sample.context.result_scale),
                                          sample.lhs < 0, precision);
    Result wide;
    wide.value = CastDecimal::call_wide(sample.lhs, sample.context, wide.error);
    EXPECT_EQ(wide, expected);
    const DecimalRange range = CastDecimal::range(DecimalRange::of(sample.lhs, sample.lhs), sample.context);
    if (!range.fits_int64() || !range.within(sample.context.limit)) continue;
    EXPECT_EQ(CastDecimal::call_narrow(static_cast<int64>(sample.lhs), sample.context), expected.value);
  }
}

}  // namespace
}  // namespace accelerant::functions
