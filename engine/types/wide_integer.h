#pragma once

#include "base/macros.h"
#include "types/integers.h"

namespace accelerant::types {

/// An unsigned integer of N 32-bit limbs, least significant first: for the exact intermediates of decimal arithmetic.
/// Results that need more limbs lose their high ones; callers choose N so that none is lost.
template <int N>
struct WideUnsigned {
  uint32 limbs[N] = {};

  /// How many limbs' work a device compiler lays out one after the other.
  static constexpr int kUnrolled = N <= 12 ? N : 1;

  ACC_HD static WideUnsigned of(uint128 value) {
    WideUnsigned result;
    for (int i = 0; i < 4; ++i) result.limbs[i] = static_cast<uint32>(value >> (32 * i));
    return result;
  }

  /// Returns a * b, exact for N >= 8.
  ACC_HD static WideUnsigned product(uint128 a, uint128 b) {
    WideUnsigned result;
    for (int i = 0; i < 4; ++i) {
      const uint64 factor = static_cast<uint32>(a >> (32 * i));
      uint64 carry = 0;
      for (int j = 0; j < 4; ++j) {
        carry += factor * static_cast<uint32>(b >> (32 * j)) + result.limbs[i + j];
        result.limbs[i + j] = static_cast<uint32>(carry);
        carry >>= 32;
      }
      if (i + 4 < N) result.limbs[i + 4] = static_cast<uint32>(carry);
    }
    return result;
  }

  ACC_HD void multiply(uint32 factor) {
    uint64 carry = 0;
    ACC_UNROLL(kUnrolled)
    for (int i = 0; i < N; ++i) {
      carry += static_cast<uint64>(limbs[i]) * factor;
      limbs[i] = static_cast<uint32>(carry);
      carry >>= 32;
    }
  }

  ACC_HD void multiply_power_of_ten(int exponent) {
    for (; exponent >= 9; exponent -= 9) multiply(1000000000u);
    multiply(small_power_of_ten(exponent));
  }

  ACC_HD void add(const WideUnsigned& other) {
    uint64 carry = 0;
    ACC_UNROLL(kUnrolled)
    for (int i = 0; i < N; ++i) {
      carry += static_cast<uint64>(limbs[i]) + other.limbs[i];
      limbs[i] = static_cast<uint32>(carry);
      carry >>= 32;
    }
  }

  /// Subtracts `other`, which must not be larger.
  ACC_HD void subtract(const WideUnsigned& other) {
    uint64 borrow = 0;
    ACC_UNROLL(kUnrolled)
    for (int i = 0; i < N; ++i) {
      const uint64 difference = static_cast<uint64>(limbs[i]) - other.limbs[i] - borrow;
      limbs[i] = static_cast<uint32>(difference);
      borrow = (difference >> 32) & 1;
    }
  }

  /// Divides in place and returns the remainder.
  ACC_HD uint32 divide(uint32 divisor) {
    uint64 remainder = 0;
    ACC_UNROLL(kUnrolled)
    for (int i = N - 1; i >= 0; --i) {
      remainder = (remainder << 32) | limbs[i];
      limbs[i] = static_cast<uint32>(remainder / divisor);
      remainder %= divisor;
    }
    return static_cast<uint32>(remainder);
  }

  /// Divides in place by 10^exponent, halves rounding up (away from zero, as this is a magnitude).
  ACC_HD void divide_power_of_ten_half_up(int exponent) {
    if (exponent <= 0) return;
    WideUnsigned half = of(5);
    half.multiply_power_of_ten(exponent - 1);
    add(half);
    for (; exponent >= 9; exponent -= 9) divide(1000000000u);
    divide(small_power_of_ten(exponent));
  }

  /// Divides in place by `divisor`, not 0, and returns the remainder (Knuth, The Art of Computer Programming 4.3.1,
  /// algorithm D).
  ACC_HD uint128 divide(uint128 divisor) {
    if (divisor >> 32 == 0) return divide(static_cast<uint32>(divisor));
    int n = 4;
    while (static_cast<uint32>(divisor >> (32 * (n - 1))) == 0) --n;
    int shift = 0;
    while (((divisor << shift) >> (32 * n - 1) & 1) == 0) ++shift;
    uint32 v[4];
    for (int i = 0; i < 4; ++i) v[i] = static_cast<uint32>((divisor << shift) >> (32 * i));
    uint32 u[N + 1];
    u[N] = 0;
    for (int i = N; i >= 0; --i) {
      const uint64 high = i < N ? limbs[i] : 0;
      const uint64 low = i > 0 ? limbs[i - 1] : 0;
      u[i] = static_cast<uint32>(((high << 32 | low) << shift) >> 32);
    }
    for (int j = N - n; j >= 0; --j) limbs[j] = divide_step(u + j, v, n);
    for (int j = N - n + 1; j < N; ++j) limbs[j] = 0;
    uint128 remainder = 0;
    for (int i = n - 1; i >= 0; --i) remainder = remainder << 32 | u[i];
    return remainder >> shift;
  }

  ACC_HD int compare(const WideUnsigned& other) const {
    ACC_UNROLL(kUnrolled)
    for (int i = N - 1; i >= 0; --i) {
      if (limbs[i] != other.limbs[i]) return limbs[i] < other.limbs[i] ? -1 : 1;
    }
    return 0;
  }

  /// Says whether the value is below `limit`.
  ACC_HD bool less_than(uint128 limit) const {
    for (int i = 4; i < N; ++i) {
      if (limbs[i] != 0) return false;
    }
    return low() < limit;
  }

  ACC_HD uint128 low() const {
    uint128 value = 0;
    for (int i = 3; i >= 0; --i) value = value << 32 | limbs[i];
    return value;
  }

 private:
  ACC_HD static uint32 small_power_of_ten(int exponent) {
    uint32 result = 1;
    for (; exponent > 0; --exponent) result *= 10;
    return result;
  }

  /// Finds one limb of the quotient of u[0..n] by v[0..n), and subtracts its multiple from u.
  ACC_HD static uint32 divide_step(uint32* u, const uint32* v, int n) {
    const uint64 numerator = static_cast<uint64>(u[n]) << 32 | u[n - 1];
    uint64 digit = numerator / v[n - 1];
    uint64 rest = numerator % v[n - 1];
    while (digit >> 32 != 0 || digit * v[n - 2] > (rest << 32 | u[n - 2])) {
      --digit;
      rest += v[n - 1];
      if (rest >> 32 != 0) break;
    }
    uint64 carry = 0;
    uint64 borrow = 0;
    for (int i = 0; i < n; ++i) {
      carry += digit * v[i];
      const uint64 difference = static_cast<uint64>(u[i]) - static_cast<uint32>(carry) - borrow;
      u[i] = static_cast<uint32>(difference);
      borrow = (difference >> 32) & 1;
      carry >>= 32;
    }
    const uint64 difference = static_cast<uint64>(u[n]) - carry - borrow;
    u[n] = static_cast<uint32>(difference);
    if ((difference >> 32 & 1) == 0) return static_cast<uint32>(digit);
    uint64 sum = 0;
    for (int i = 0; i < n; ++i) {
      sum += static_cast<uint64>(u[i]) + v[i];
      u[i] = static_cast<uint32>(sum);
      sum >>= 32;
    }
    u[n] += static_cast<uint32>(sum);
    return static_cast<uint32>(digit - 1);
  }
};

}  // namespace accelerant::types
