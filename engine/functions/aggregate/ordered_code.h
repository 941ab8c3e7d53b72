#pragma once

#include "base/macros.h"
#include "types/integers.h"

namespace accelerant::functions {

/// Returns a value as an integer of the same order. Of zeros, the negative one comes first; NaN is last.
template <class T>
ACC_HD ACC_INLINE int64 ordered(T value) {
  return static_cast<int64>(value);
}
template <>
ACC_HD ACC_INLINE int64 ordered(double value) {
  constexpr int64 kNaN = 0x7ff8000000000000;
  const int64 bits = value != value ? kNaN : __builtin_bit_cast(int64, value);
  return bits < 0 ? bits ^ 0x7fffffffffffffff : bits;
}
template <>
ACC_HD ACC_INLINE int64 ordered(float value) {
  return ordered(static_cast<double>(value));
}

/// Returns the value that `ordered` made an integer of.
template <class T>
ACC_HD ACC_INLINE T from_ordered(int64 code) {
  return static_cast<T>(code);
}
template <>
ACC_HD ACC_INLINE double from_ordered(int64 code) {
  return __builtin_bit_cast(double, code < 0 ? code ^ 0x7fffffffffffffff : code);
}
template <>
ACC_HD ACC_INLINE float from_ordered(int64 code) {
  return static_cast<float>(from_ordered<double>(code));
}

}  // namespace accelerant::functions
