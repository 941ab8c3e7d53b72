#pragma once

#include "base/macros.h"
#include "types/string_view.h"

/// Spark's order: NaN equals NaN and is greater than every other number, -0.0 equals 0.0, strings compare by bytes.
namespace accelerant::functions {

template <class T>
ACC_HD ACC_INLINE bool equals(T lhs, T rhs) {
  return lhs == rhs;
}
template <>
ACC_HD ACC_INLINE bool equals(float lhs, float rhs) {
  return (lhs == rhs) | ((lhs != lhs) & (rhs != rhs));
}
template <>
ACC_HD ACC_INLINE bool equals(double lhs, double rhs) {
  return (lhs == rhs) | ((lhs != lhs) & (rhs != rhs));
}
template <>
ACC_HD ACC_INLINE bool equals(types::StringRef lhs, types::StringRef rhs) {
  return types::operator==(lhs, rhs);
}

template <class T>
ACC_HD ACC_INLINE bool less(T lhs, T rhs) {
  return lhs < rhs;
}
template <>
ACC_HD ACC_INLINE bool less(float lhs, float rhs) {
  return (lhs < rhs) | ((lhs == lhs) & (rhs != rhs));
}
template <>
ACC_HD ACC_INLINE bool less(double lhs, double rhs) {
  return (lhs < rhs) | ((lhs == lhs) & (rhs != rhs));
}
template <>
ACC_HD ACC_INLINE bool less(types::StringRef lhs, types::StringRef rhs) {
  return types::compare(lhs, rhs) < 0;
}

}  // namespace accelerant::functions
