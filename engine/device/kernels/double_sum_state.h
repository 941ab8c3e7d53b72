#pragma once

#include "device/kernels/state_words.h"
#include "functions/aggregate/binned_sum.h"

namespace accelerant::device::kernels {

/// State of Sum and Average over doubles: functions::BinnedSum over all places of the exponent range. What that keeps
/// of them is the window below the highest place met: a digit that it drops lies below the window of that moment, and
/// the window only rises. So the window of all places' sums is the same, whatever the order.
struct DoubleSumState {
  using Sum = functions::BinnedSum;
  using Value = double;
  static constexpr int32 kTop = Sum::kNumPlaces;  ///< the highest place met, and one
  static constexpr int32 kNaN = kTop + 1;         ///< whether one was met; so the next two
  static constexpr int32 kPositiveInfinity = kTop + 2;
  static constexpr int32 kNegativeInfinity = kTop + 3;
  static constexpr int32 kCount = kTop + 4;  ///< of values that may be null
  static constexpr int32 kNumWords = kTop + 5;

  ACC_HD static Value value_at(const void* values, int64 row) { return static_cast<const double*>(values)[row]; }

  template <Scope kScope, Threads B>
  ACC_HD ACC_INLINE static void update(B& block, StateWords state, Value value, bool may_be_null) {
    if (may_be_null) block.template fetch_add<Order::Relaxed, kScope>(state.at(kCount), 1);
    const Sum::Parts parts = Sum::split(value);
    if (!parts.finite) return mark<kScope>(block, state.at(word_of_special(value)));
    if (parts.mantissa == 0) return;
    const Sum::Digits cut = Sum::cut_into_digits(parts.mantissa, parts.exponent);
    raise<kScope>(block, state.at(kTop), static_cast<uint64>(cut.place + Sum::kDigitsPerValue));
    for (int32 i = 0; i < Sum::kDigitsPerValue; ++i) {
      if (cut.digits[i] == 0) continue;
      block.template fetch_add<Order::Relaxed, kScope>(state.at(cut.place + i), static_cast<uint64>(cut.digits[i]));
    }
  }

  template <Threads B>
  ACC_HD static void merge(B& block, StateWords from, int32 num_states, StateWords to) {
    for (int32 word = 0; word < kNumWords; ++word) {
      const bool is_sum = word < kTop || word == kCount;
      uint64 merged = 0;
      for (int32 i = 0; i < num_states; ++i) {
        const uint64 own = from.at(word)[i];
        merged = is_sum ? merged + own : own > merged ? own : merged;
      }
      if (merged == 0) continue;
      if (is_sum) {
        block.template fetch_add<Order::Relaxed, Scope::Device>(to.at(word), merged);
      } else {
        raise<Scope::Device>(block, to.at(word), merged);
      }
    }
  }

  /// Returns which word says that a value was met that is not finite.
  ACC_HD static int32 word_of_special(double value) {
    if (value != value) return kNaN;
    return value > 0 ? kPositiveInfinity : kNegativeInfinity;
  }

  /// Returns the sum that the words of a state stand for.
  ACC_HD static Sum sum_of(const uint64* state) {
    Sum sum = Sum::init();
    sum.top = static_cast<int32>(state[kTop]) - 1;
    for (int32 i = 0; i < Sum::kNumBins; ++i) {
      const int32 place = sum.lowest_place() + i;
      if (sum.top >= 0 && place >= 0) sum.bins[i] = static_cast<int64>(state[place]);
    }
    sum.has_nan = state[kNaN] != 0;
    sum.has_positive_infinity = state[kPositiveInfinity] != 0;
    sum.has_negative_infinity = state[kNegativeInfinity] != 0;
    sum.count = static_cast<int64>(state[kCount]);
    return sum;
  }
};

}  // namespace accelerant::device::kernels
