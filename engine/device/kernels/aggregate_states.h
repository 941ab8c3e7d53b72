#pragma once

#include "device/kernels/double_sum_state.h"
#include "device/kernels/state_words.h"
#include "functions/aggregate/exact_sum.h"

/// States of aggregates that many threads update at once, in words of 64 bits that are 0 at first. The words say the
/// same whatever the order of updates. They are those of functions/aggregate in another form, in which a common update
/// is one atomic.
namespace accelerant::device::kernels {

/// State of Count: the number of rows.
struct CountState {
  static constexpr int32 kNumWords = 1;
  using Value = uint8;

  ACC_HD static Value value_at(const void*, int64) { return 0; }

  template <Scope kScope, Threads B>
  ACC_HD ACC_INLINE static void update(B& block, StateWords state, Value, bool) {
    block.template fetch_add<Order::Relaxed, kScope>(state.at(0), 1);
  }

  /// Adds several states, a word apart, to one.
  template <Threads B>
  ACC_HD static void merge(B& block, StateWords from, int32 num_states, StateWords to) {
    uint64 count = 0;
    for (int32 i = 0; i < num_states; ++i) count += from.at(0)[i];
    if (count != 0) block.template fetch_add<Order::Relaxed, Scope::Device>(to.at(0), count);
  }
};

/// Words of a sum of integers: three digits to the base 2^64, lowest first, each with a sign, so that a sum that goes
/// about zero seldom touches more than the lowest; and the count of values that may be null.
struct SumWords {
  static constexpr int32 kNumWords = 4;
  static constexpr int32 kMiddle = 1;
  static constexpr int32 kUpper = 2;
  static constexpr int32 kCount = 3;

  /// Returns what is carried to the next digit when `lhs` and `rhs` are added.
  ACC_HD ACC_INLINE static int64 carry(int64 lhs, int64 rhs) {
    const auto sum = static_cast<int64>(static_cast<uint64>(lhs) + static_cast<uint64>(rhs));
    if (((lhs ^ sum) & (rhs ^ sum)) >= 0) return 0;
    return rhs < 0 ? -1 : 1;
  }

  ACC_HD static functions::ExactSum sum_of(uint64 low, uint64 middle, uint64 upper, uint64 count) {
    functions::ExactSum sum = functions::ExactSum::init();
    sum.add(static_cast<int64>(low));
    sum.add(static_cast<int128>(static_cast<uint128>(middle) << 64));
    sum.high += static_cast<int64>(upper);
    sum.count = static_cast<int64>(count);
    return sum;
  }

  /// Adds to a digit; returns what is carried.
  template <Scope kScope, Threads B>
  ACC_HD ACC_INLINE static int64 add_to_digit(B& block, uint64* digit, int64 value) {
    const uint64 before = block.template fetch_add<Order::Relaxed, kScope>(digit, static_cast<uint64>(value));
    return carry(static_cast<int64>(before), value);
  }

  template <Scope kScope, Threads B>
  ACC_HD ACC_INLINE static void add(B& block, StateWords state, int128 value) {
    const auto low = static_cast<int64>(value);
    const auto high = static_cast<int64>(value >> 64);
    const int64 carried = add_to_digit<kScope>(block, state.at(0), low) + static_cast<int64>(low < 0);
    int64 upper = carry(high, carried);
    const auto middle = static_cast<int64>(static_cast<uint64>(high) + static_cast<uint64>(carried));
    if (middle != 0) upper += add_to_digit<kScope>(block, state.at(kMiddle), middle);
    if (upper != 0) block.template fetch_add<Order::Relaxed, kScope>(state.at(kUpper), static_cast<uint64>(upper));
  }
};

/// State of Sum and Average: functions::ExactSum.
template <class Integer>
struct SumState : SumWords {
  using Value = Integer;

  ACC_HD static Value value_at(const void* values, int64 row) { return static_cast<const Integer*>(values)[row]; }

  template <Scope kScope, Threads B>
  ACC_HD ACC_INLINE static void update(B& block, StateWords state, Value value, bool may_be_null) {
    add<kScope>(block, state, value);
    if (may_be_null) block.template fetch_add<Order::Relaxed, kScope>(state.at(kCount), 1);
  }

  template <Threads B>
  ACC_HD static void merge(B& block, StateWords from, int32 num_states, StateWords to) {
    functions::ExactSum sum = functions::ExactSum::init();
    for (int32 i = 0; i < num_states; ++i) {
      sum.merge(sum_of(from.at(0)[i], from.at(kMiddle)[i], from.at(kUpper)[i], from.at(kCount)[i]));
    }
    // ExactSum's upper word counts from an unsigned lower part.
    const auto low = static_cast<int128>(sum.low);
    const int64 upper = sum.high + static_cast<int64>(low < 0);
    if (low != 0) add<Scope::Device>(block, to, low);
    if (upper != 0) {
      block.template fetch_add<Order::Relaxed, Scope::Device>(to.at(kUpper), static_cast<uint64>(upper));
    }
    if (sum.count != 0) {
      block.template fetch_add<Order::Relaxed, Scope::Device>(to.at(kCount), static_cast<uint64>(sum.count));
    }
  }
};

/// Minimum, for ExtremeState: the code of a value is the greater, the smaller the value.
struct Smaller {
  ACC_HD static uint64 code(int64 value) { return ~(static_cast<uint64>(value) ^ uint64{1} << 63); }
  ACC_HD static int64 value(uint64 code) { return static_cast<int64>(~code ^ uint64{1} << 63); }
};
/// Maximum: the greater, the greater.
struct Greater {
  ACC_HD static uint64 code(int64 value) {
    return static_cast<uint64>(value) ^ uint64 { 1 } << 63;
  }
  ACC_HD static int64 value(uint64 code) { return static_cast<int64>(code ^ uint64{1} << 63); }
};

/// State of Min and Max over integers: functions::Extreme as the greatest code, and whether there was a value that may
/// be null.
template <class Direction>
struct ExtremeState {
  static constexpr int32 kNumWords = 2;
  static constexpr int32 kMet = 1;
  using Value = int64;

  ACC_HD static Value value_at(const void* values, int64 row) { return static_cast<const int64*>(values)[row]; }

  template <Scope kScope, Threads B>
  ACC_HD ACC_INLINE static void update(B& block, StateWords state, Value value, bool may_be_null) {
    raise<kScope>(block, state.at(0), Direction::code(value));
    if (may_be_null) mark<kScope>(block, state.at(kMet));
  }

  template <Threads B>
  ACC_HD static void merge(B& block, StateWords from, int32 num_states, StateWords to) {
    uint64 code = 0;
    uint64 met = 0;
    for (int32 i = 0; i < num_states; ++i) {
      if (from.at(0)[i] > code) code = from.at(0)[i];
      met |= from.at(kMet)[i];
    }
    raise<Scope::Device>(block, to.at(0), code);
    if (met != 0) mark<Scope::Device>(block, to.at(kMet));
  }
};

/// How the rows of a group are combined.
enum class AggregateKind : int32 { Count, SumInt64, SumInt128, SumDouble, Minimum, Maximum };

/// Calls a function with an object of the state of a kind.
template <class Function>
ACC_HD ACC_INLINE auto with_state_of(AggregateKind kind, Function function) {
  switch (kind) {
    case AggregateKind::Count:
      return function(CountState{});
    case AggregateKind::SumInt64:
      return function(SumState<int64>{});
    case AggregateKind::SumInt128:
      return function(SumState<int128>{});
    case AggregateKind::SumDouble:
      return function(DoubleSumState{});
    case AggregateKind::Minimum:
      return function(ExtremeState<Smaller>{});
    case AggregateKind::Maximum:
      break;
  }
  return function(ExtremeState<Greater>{});
}

/// Returns the words of a state.
ACC_HD inline int32 num_state_words(AggregateKind kind) {
  return with_state_of(kind, [](auto state) { return decltype(state)::kNumWords; });
}

}  // namespace accelerant::device::kernels
