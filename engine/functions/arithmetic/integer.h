#pragma once

#include "base/macros.h"
#include "types/integers.h"

/// Integer building blocks that never have undefined behaviour and that compilers vectorise.
namespace accelerant::functions {

template <class T>
struct UnsignedOf;
template <>
struct UnsignedOf<int8> {
  using Type = uint8;
};
template <>
struct UnsignedOf<int16> {
  using Type = uint16;
};
template <>
struct UnsignedOf<int32> {
  using Type = uint32;
};
template <>
struct UnsignedOf<int64> {
  using Type = uint64;
};
template <>
struct UnsignedOf<int128> {
  using Type = uint128;
};
template <class T>
using Unsigned = typename UnsignedOf<T>::Type;

/// A signed integer of 8 to 128 bits.
template <class T>
concept Integer = requires {
  typename UnsignedOf<T>::Type;
};

/// Says whether two types are one, as std::is_same does.
template <class A, class B>
inline constexpr bool kSameType = false;
template <class A>
inline constexpr bool kSameType<A, A> = true;

/// The integer of twice the width.
template <class T>
struct WiderOf;
template <>
struct WiderOf<int8> {
  using Type = int16;
};
template <>
struct WiderOf<int16> {
  using Type = int32;
};
template <>
struct WiderOf<int32> {
  using Type = int64;
};
template <>
struct WiderOf<int64> {
  using Type = int128;
};

/// Returns 1 for negative values, else 0.
template <class T>
ACC_HD ACC_INLINE Unsigned<T> sign_bit(T value) {
  return static_cast<Unsigned<T>>(value) >> (sizeof(T) * 8 - 1);
}

/// Return the result modulo 2^width.
template <class T>
ACC_HD ACC_INLINE T wrapping_add(T lhs, T rhs) {
  return static_cast<T>(static_cast<Unsigned<T>>(lhs) + static_cast<Unsigned<T>>(rhs));
}
template <class T>
ACC_HD ACC_INLINE T wrapping_subtract(T lhs, T rhs) {
  return static_cast<T>(static_cast<Unsigned<T>>(lhs) - static_cast<Unsigned<T>>(rhs));
}
template <class T>
ACC_HD ACC_INLINE T wrapping_multiply(T lhs, T rhs) {
  // Through uint64: the product of two uint16 would be promoted to a signed int and might overflow it.
  using Factor = Unsigned<typename WiderOf<T>::Type>;
  return static_cast<T>(static_cast<Unsigned<T>>(static_cast<Factor>(lhs) * static_cast<Factor>(rhs)));
}
template <class T>
ACC_HD ACC_INLINE T wrapping_negate(T value) {
  return static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(value));
}

/// Returns |value|, also of the smallest value.
ACC_HD ACC_INLINE uint64 magnitude_of(int64 value) {
  return value < 0 ? uint64{0} - static_cast<uint64>(value) : static_cast<uint64>(value);
}

}  // namespace accelerant::functions
