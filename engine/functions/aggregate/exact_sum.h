#pragma once

#include "functions/aggregate/signed_digits.h"
#include "functions/aggregate/state_columns.h"

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

  using Columns =
      StateColumns<Column<&ExactSum::low>, Column<&ExactSum::high>, Column<&ExactSum::count, Combine::NumRows>>;

  /// The sum of some of a batch's values, where `batch_fits`.
  struct BatchState {
    int64 sum;
    int64 count;

    ACC_HD static BatchState init() { return {0, 0}; }
    template <class T>
    ACC_HD ACC_INLINE void update(T value) {
      sum += static_cast<int64>(value);
      ++count;
    }
  };

  /// Says whether any `n` of the values add up within int64. One pass, no branches.
  template <class T>
  ACC_HD static bool batch_fits(const T* values, int64 n) {
    if constexpr (sizeof(T) < sizeof(int64)) {
      return n < (int64{1} << 31);
    } else if constexpr (sizeof(T) == sizeof(int64)) {
      uint64 magnitudes = 0;
      for (int64 i = 0; i < n; ++i) magnitudes |= static_cast<uint64>(values[i] ^ (values[i] >> 63));
      const int32 value_bits = magnitudes == 0 ? 0 : 64 - __builtin_clzll(magnitudes);
      const int32 row_bits = n == 0 ? 0 : 64 - __builtin_clzll(static_cast<uint64>(n));
      return value_bits + row_bits <= 62;
    } else {
      return false;
    }
  }

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

  /// Takes back a value that was added.
  ACC_HD ACC_INLINE void retract(int128 value) {
    const uint128 before = low;
    low -= static_cast<uint128>(value);
    high -= static_cast<int64>(low > before) + static_cast<int64>(value >> 127);
    --count;
  }

  /// Adds a value several times.
  ACC_HD void update_times(int64 value, int64 times) {
    add(static_cast<int128>(value) * times);
    count += times;
  }

  ACC_HD void merge(const BatchState& batch) {
    add(batch.sum);
    count += batch.count;
  }

  ACC_HD void merge(const ExactSum& other) {
    const uint128 before = low;
    low += other.low;
    high += static_cast<int64>(low < before) + other.high;
    count += other.count;
  }

  /// Three digits to the base 2^64, lowest first, each with a sign, so that a sum that goes about zero seldom touches
  /// more than the lowest; and the count.
  struct Words {
    static constexpr int32 kNumWords = 4;
    static constexpr int32 kRowsWord = 3;

    template <class Access>
    ACC_HD ACC_INLINE static void update(Access access, bool counts, int128 value) {
      add(access, value);
      if (counts) access.add(kRowsWord, 1);
    }
    template <class AccessAt, class Access>
    ACC_HD static void merge(AccessAt copy_at, int32 num_copies, Access to) {
      ExactSum sum = ExactSum::init();
      for (int32 copy = 0; copy < num_copies; ++copy) sum.merge(read(copy_at(copy)));
      add(to, sum);
    }
    template <class Access>
    ACC_HD static void add(Access access, const ExactSum& sum) {
      // The upper word counts from an unsigned lower part.
      const auto low = static_cast<int128>(sum.low);
      const int64 upper = sum.high + static_cast<int64>(low < 0);
      if (low != 0) add(access, low);
      if (upper != 0) access.add(kUpper, static_cast<uint64>(upper));
      if (sum.count != 0) access.add(kRowsWord, static_cast<uint64>(sum.count));
    }
    template <class Access>
    ACC_HD static ExactSum read(Access access) {
      ExactSum sum = ExactSum::init();
      sum.add(static_cast<int64>(access.load(0)));
      sum.add(static_cast<int128>(static_cast<uint128>(access.load(kMiddle)) << 64));
      sum.high += static_cast<int64>(access.load(kUpper));
      sum.count = static_cast<int64>(access.load(kRowsWord));
      return sum;
    }

   private:
    static constexpr int32 kMiddle = 1;
    static constexpr int32 kUpper = 2;

    template <class Access>
    ACC_HD ACC_INLINE static void add(Access access, int128 value) {
      const auto low = static_cast<int64>(value);
      const auto high = static_cast<int64>(value >> 64);
      const int64 from_low = access.add_digit(0, low) + static_cast<int64>(low < 0);
      int64 upper = carried(high, from_low);
      const auto middle = static_cast<int64>(static_cast<uint64>(high) + static_cast<uint64>(from_low));
      if (middle != 0) upper += access.add_digit(kMiddle, middle);
      if (upper != 0) access.add(kUpper, static_cast<uint64>(upper));
    }
  };

  /// Says whether the sum is a 128-bit integer.
  ACC_HD bool fits_int128() const { return high == static_cast<int64>(static_cast<int128>(low) >> 127); }
  /// The sum, if it fits.
  ACC_HD int128 value() const { return static_cast<int128>(low); }
};

}  // namespace accelerant::functions
