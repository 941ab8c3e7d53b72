#pragma once

#include "base/macros.h"

namespace accelerant::functions {

/// State of BitAndAgg, BitOrAgg and BitXorAgg over integers. Of no values it is null.
///
/// Spark: aggregate.BitAggregate.
template <class T>
struct Bitwise {
  T ones;    ///< AND of all values
  T any;     ///< OR of all values
  T odd;     ///< XOR of all values
  bool met;  ///< there was a value

  ACC_HD static Bitwise init() { return {static_cast<T>(~T()), T(), T(), false}; }

  ACC_HD ACC_INLINE void update(T value) { merge({value, value, value, true}); }

  ACC_HD ACC_INLINE void merge(const Bitwise& other) {
    ones = static_cast<T>(ones & other.ones);
    any = static_cast<T>(any | other.any);
    odd = static_cast<T>(odd ^ other.odd);
    met |= other.met;
  }
};

}  // namespace accelerant::functions
