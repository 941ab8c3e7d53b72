#pragma once

#include "functions/aggregate/definition.h"

namespace accelerant::functions {

/// State of BitAndAgg, BitOrAgg and BitXorAgg over integers: nothing, or the bits of all values.
template <class T, Combine kCombine>
struct Bitwise {
  T bits;
  bool any;

  using Columns = StateColumns<Column<&Bitwise::bits, kCombine>, Column<&Bitwise::any, Combine::AnyRow>>;
  using BatchState = Bitwise;

  ACC_HD static Bitwise init() { return {static_cast<T>(kCombine == Combine::And ? ~T() : T()), false}; }

  ACC_HD ACC_INLINE void update(T value) {
    if constexpr (kCombine == Combine::And) {
      bits = static_cast<T>(bits & value);
    } else if constexpr (kCombine == Combine::Or) {
      bits = static_cast<T>(bits | value);
    } else {
      bits = static_cast<T>(bits ^ value);
    }
    any = true;
  }

  ACC_HD void merge(const Bitwise& other) {
    if (other.any) update(other.bits);
  }
};

using IntegralSame = UnarySame<types::ByteType, types::ShortType, types::IntType, types::LongType>;

}  // namespace accelerant::functions
