#pragma once

#include "base/macros.h"
#include "types/integers.h"

namespace accelerant::functions {

/// Says whether `lhs` comes before `rhs` in Spark's order: NaN is the greatest and equal to itself, -0.0 equals 0.0.
template <class T>
ACC_HD ACC_INLINE bool comes_before(T lhs, T rhs) {
  const bool lhs_is_nan = lhs != lhs;
  const bool rhs_is_nan = rhs != rhs;
  return lhs < rhs || (rhs_is_nan && !lhs_is_nan);
}

/// State of Min (kGreatest false) and Max (kGreatest true) over fixed-width values. Nulls are not looked at; the
/// extreme of no values is null. Among equal values the first one stays.
///
/// Spark: aggregate.Min, aggregate.Max.
template <class T>
struct Extreme {
  T value;
  bool any;

  ACC_HD static Extreme init() { return {T(), false}; }

  ACC_HD ACC_INLINE void update(T candidate, bool greatest) {
    if (!any || (greatest ? comes_before(value, candidate) : comes_before(candidate, value))) value = candidate;
    any = true;
  }

  ACC_HD void merge(const Extreme& other, bool greatest) {
    if (other.any) update(other.value, greatest);
  }
};

}  // namespace accelerant::functions
