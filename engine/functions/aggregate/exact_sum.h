#pragma once

#include "base/macros.h"
#include "types/integers.h"

namespace accelerant::functions {

/// State of Sum and Average over integers and decimals: the exact sum of unscaled values in 192 bits, so that no number
/// of 128-bit values overflows it, the result does not depend on the order of updates, and batches of different
/// physical widths mix.
///
/// Spark: aggregate.Sum, aggregate.Average. Nulls are not added; a sum of no values is null.
struct ExactSum {
  uint128 low;
  int64 high;
  int64 count;  ///< values added

  ACC_HD static ExactSum init() { return {0, 0, 0}; }

  ACC_HD ACC_INLINE void update(int128 value) {
    add(value);
    ++count;
  }

  /// Adds a value that stands for several, counted apart.
  ACC_HD ACC_INLINE void add(int128 value) {
    const uint128 before = low;
    low += static_cast<uint128>(value);
    high += static_cast<int64>(low < before) + static_cast<int64>(value >> 127);
  }

  ACC_HD void merge(const ExactSum& other) {
    const uint128 before = low;
    low += other.low;
    high += static_cast<int64>(low < before) + other.high;
    count += other.count;
  }

  /// Says whether the sum is a 128-bit integer.
  ACC_HD bool fits_int128() const { return high == static_cast<int64>(static_cast<int128>(low) >> 127); }
  /// The sum, if it fits.
  ACC_HD int128 value() const { return static_cast<int128>(low); }
};

}  // namespace accelerant::functions
