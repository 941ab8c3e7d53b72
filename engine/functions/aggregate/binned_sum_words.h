#pragma once

#include "functions/aggregate/binned_sum.h"
#include "functions/aggregate/shared_state.h"

namespace accelerant::functions {

/// The words of a BinnedSumOf: sums of all places of the exponent range. What the state keeps of them is the window
/// below the highest place met: a digit that it drops lies below the window of that moment, and the window only rises.
/// So the window of all places' sums is the same, whatever the order.
template <class Sum>
struct BinnedSumWords {
  static constexpr int32 kTop = Sum::kNumPlaces;  ///< the highest place met, and one
  static constexpr int32 kNaN = kTop + 1;         ///< whether one was met; so the next two
  static constexpr int32 kPositiveInfinity = kTop + 2;
  static constexpr int32 kNegativeInfinity = kTop + 3;
  static constexpr int32 kRowsWord = kTop + 4;
  static constexpr int32 kNumWords = kTop + 5;

  template <class Access>
  ACC_HD ACC_INLINE static void update(Access access, bool counts, double value) {
    if (counts) access.add(kRowsWord, 1);
    const typename Sum::Parts parts = Sum::split(value);
    if (!parts.finite) return access.set_bits(word_of_special(value), 1);
    if (parts.mantissa == 0) return;
    const typename Sum::Digits cut = Sum::cut_into_digits(parts.mantissa, parts.exponent);
    access.raise(kTop, static_cast<uint64>(cut.place + Sum::kDigitsPerValue));
    for (int32 i = 0; i < Sum::kDigitsPerValue; ++i) {
      if (cut.digits[i] != 0) access.add(cut.place + i, static_cast<uint64>(cut.digits[i]));
    }
  }
  template <class AccessAt, class Access>
  ACC_HD static void merge(AccessAt copy_at, int32 num_copies, Access to) {
    using shared_state::merge_word;
    for (int32 place = 0; place < kTop; ++place) merge_word<Combine::Sum>(copy_at, num_copies, to, place);
    merge_word<Combine::Greatest>(copy_at, num_copies, to, kTop);
    for (int32 word = kNaN; word < kRowsWord; ++word) merge_word<Combine::Or>(copy_at, num_copies, to, word);
    merge_word<Combine::NumRows>(copy_at, num_copies, to, kRowsWord);
  }
  template <class Access>
  ACC_HD static Sum read(Access access) {
    Sum sum = Sum::init();
    sum.top = static_cast<int32>(access.load(kTop)) - 1;
    for (int32 i = 0; i < Sum::kNumBins; ++i) {
      const int32 place = sum.lowest_place() + i;
      if (sum.top >= 0 && place >= 0) sum.bins[i] = static_cast<int64>(access.load(place));
    }
    sum.has_nan = access.load(kNaN) != 0;
    sum.has_positive_infinity = access.load(kPositiveInfinity) != 0;
    sum.has_negative_infinity = access.load(kNegativeInfinity) != 0;
    sum.count = static_cast<int64>(access.load(kRowsWord));
    return sum;
  }

 private:
  /// Returns which word says that a value was met that is not finite.
  ACC_HD static int32 word_of_special(double value) {
    if (value != value) return kNaN;
    return value > 0 ? kPositiveInfinity : kNegativeInfinity;
  }
};

}  // namespace accelerant::functions
