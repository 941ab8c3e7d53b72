#pragma once

#include "functions/aggregate/ordered_code.h"
#include "functions/aggregate/sorted_list.h"
#include "functions/comparison/order.h"

namespace accelerant::functions {

/// Finds values by their place in Spark's order. Of words of 64 bits in time that depends on their number alone.
template <class T>
class OrderStatistic {
 public:
  /// @param values at least one; short lists are sorted
  ACC_HD explicit OrderStatistic(List<T> values)
      : values_(values), is_sorted_(kIsWide || values.length <= kMostSorted) {
    if (is_sorted_) sort_list(values, [](T lhs, T rhs) { return comes_before(lhs, rhs); });
  }

  /// Returns the value that `place` others precede.
  ACC_HD T at(int64 place) const {
    if (is_sorted_) return values_.values[place];
    if constexpr (kIsWide) {
      return T();
    } else {
      return select(place);
    }
  }

 private:
  static constexpr bool kIsWide = sizeof(T) > sizeof(int64);
  static constexpr int64 kMostSorted = 32;
  static constexpr int32 kDigitBits = 8;
  static constexpr uint64 kDigits = uint64{1} << kDigitBits;
  static constexpr uint64 kSign = uint64{1} << 63;

  ACC_HD static uint64 code_of(T value) { return static_cast<uint64>(ordered(value)) ^ kSign; }

  ACC_HD static bool comes_before(T lhs, T rhs) {
    if constexpr (kIsWide) {
      return less(lhs, rhs);
    } else {
      return code_of(lhs) < code_of(rhs);
    }
  }

  /// Finds the value digit by digit.
  ACC_HD T select(int64 place) const {
    uint64 prefix = 0;
    uint64 known = 0;
    for (int32 shift = 64 - kDigitBits; shift >= 0; shift -= kDigitBits) {
      int64 counts[kDigits] = {};
      for (int64 i = 0; i < values_.length; ++i) {
        const uint64 code = code_of(values_.values[i]);
        if ((code & known) == prefix) ++counts[code >> shift & (kDigits - 1)];
      }
      uint64 digit = 0;
      for (; place >= counts[digit]; ++digit) place -= counts[digit];
      prefix |= digit << shift;
      known |= uint64{kDigits - 1} << shift;
    }
    return from_ordered<T>(static_cast<int64>(prefix ^ kSign));
  }

  List<T> values_;
  bool is_sorted_;
};

}  // namespace accelerant::functions
