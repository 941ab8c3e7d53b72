#pragma once

// States that many threads update at once: words of 64 bits, all 0 at first, which say the same whatever the order of
// updates. A state whose columns combine each by itself has them for nothing; others may say how (`Words`).
//
// A device gives access to a state's words by an object with
//   load(word), add(word, value), add_digit(word, value) -> what is carried from a signed digit (signed_digits.h),
//   raise(word, value): makes it at least that, set_bits(word, bits), flip_bits(word, bits).
// Words are merged as words: what a state says may be less than they do.

#include "functions/aggregate/ordered_code.h"
#include "functions/aggregate/state_columns.h"

namespace accelerant::functions {

namespace shared_state {

inline constexpr uint64 kSign = uint64{1} << 63;

/// Says whether a column fits a word and combines by itself.
template <class Value>
inline constexpr bool kIsWord = false;
template <>
inline constexpr bool kIsWord<bool> = true;
template <>
inline constexpr bool kIsWord<int8> = true;
template <>
inline constexpr bool kIsWord<int16> = true;
template <>
inline constexpr bool kIsWord<int32> = true;
template <>
inline constexpr bool kIsWord<int64> = true;
template <>
inline constexpr bool kIsWord<float> = true;
template <>
inline constexpr bool kIsWord<double> = true;

/// Returns the word of a value; that of what changes nothing is 0.
template <Combine kCombine, class Value>
ACC_HD ACC_INLINE uint64 to_word(Value value) {
  if constexpr (kCombine == Combine::Greatest) {
    return static_cast<uint64>(ordered(value)) ^ kSign;
  } else if constexpr (kCombine == Combine::Least) {
    return ~(static_cast<uint64>(ordered(value)) ^ kSign);
  } else if constexpr (kCombine == Combine::And) {
    return ~static_cast<uint64>(static_cast<int64>(value));
  } else {
    return static_cast<uint64>(static_cast<int64>(value));
  }
}

template <Combine kCombine, class Value>
ACC_HD ACC_INLINE Value from_word(uint64 word) {
  if constexpr (kCombine == Combine::Greatest) {
    return from_ordered<Value>(static_cast<int64>(word ^ kSign));
  } else if constexpr (kCombine == Combine::Least) {
    return from_ordered<Value>(static_cast<int64>(~word ^ kSign));
  } else if constexpr (kCombine == Combine::And) {
    return static_cast<Value>(static_cast<int64>(~word));
  } else {
    return static_cast<Value>(static_cast<int64>(word));
  }
}

ACC_HD constexpr bool counts_rows(Combine combine) { return combine == Combine::NumRows || combine == Combine::AnyRow; }

/// Returns what two values' words come to.
template <Combine kCombine>
ACC_HD ACC_INLINE uint64 joined_words(uint64 lhs, uint64 rhs) {
  if constexpr (kCombine == Combine::Sum || kCombine == Combine::NumRows) {
    return lhs + rhs;
  } else if constexpr (kCombine == Combine::Xor) {
    return lhs ^ rhs;
  } else if constexpr (kCombine == Combine::Least || kCombine == Combine::Greatest) {
    return lhs < rhs ? rhs : lhs;
  } else {
    return lhs | rhs;
  }
}

/// Adds a value's word to a state.
template <Combine kCombine, class Access>
ACC_HD ACC_INLINE void combine_word(Access access, int32 at, uint64 word) {
  if constexpr (kCombine == Combine::Sum || kCombine == Combine::NumRows) {
    access.add(at, word);
  } else if constexpr (kCombine == Combine::Xor) {
    access.flip_bits(at, word);
  } else if constexpr (kCombine == Combine::Least || kCombine == Combine::Greatest) {
    access.raise(at, word);
  } else {
    access.set_bits(at, word);
  }
}

/// Adds a word of several copies of a state to one.
template <Combine kCombine, class AccessAt, class Access>
ACC_HD ACC_INLINE void merge_word(AccessAt copy_at, int32 num_copies, Access to, int32 word) {
  uint64 merged = 0;
  for (int32 copy = 0; copy < num_copies; ++copy) {
    merged = joined_words<kCombine>(merged, copy_at(copy).load(word));
  }
  if (merged != 0) combine_word<kCombine>(to, word, merged);
}

/// The words of a state each of whose columns combines by itself.
template <class S, class Columns>
struct Derived;
template <class S, class... C>
struct Derived<S, StateColumns<C...>> {
  static constexpr int32 kNumWords = sizeof...(C);

  ACC_HD static constexpr int32 rows_word() {
    int32 at = -1;
    int32 word = 0;
    ((at = counts_rows(C::kCombine) ? word : at, ++word), ...);
    return at;
  }
  static constexpr int32 kRowsWord = rows_word();

  template <class Access, class... T>
  ACC_HD ACC_INLINE static void update(Access access, bool counts, T... values) {
    S row = S::init();
    row.update(values...);
    combine(access, row, counts);
  }
  template <class AccessAt, class Access>
  ACC_HD static void merge(AccessAt copy_at, int32 num_copies, Access to) {
    int32 word = 0;
    (merge_word<C::kCombine>(copy_at, num_copies, to, word++), ...);
  }
  template <class Access>
  ACC_HD static S read(Access access) {
    S state = S::init();
    int32 word = 0;
    ((state.*C::kMember = from_word<C::kCombine, typename C::Value>(access.load(word++))), ...);
    return state;
  }

 private:
  template <class Access>
  ACC_HD ACC_INLINE static void combine(Access access, const S& state, bool counts) {
    int32 word = 0;
    (combine_column<C>(access, word++, state, counts), ...);
  }
  template <class Member, class Access>
  ACC_HD ACC_INLINE static void combine_column(Access access, int32 at, const S& state, bool counts) {
    if (counts_rows(Member::kCombine) && !counts) return;
    combine_word<Member::kCombine>(access, at, to_word<Member::kCombine>(state.*Member::kMember));
  }
};

template <class Columns>
inline constexpr bool kAllWords = false;
template <class... C>
inline constexpr bool kAllWords<StateColumns<C...>> = ((C::kCombine != Combine::Together &&
                                                        kIsWord<typename C::Value>)&&...);

template <class S>
concept HasWords = requires {
  S::Words::kNumWords;
};
template <class S>
concept Combines = !HasWords<S> && kAllWords<typename S::Columns>;

}  // namespace shared_state

/// The words of a state, if it can have some:
/// - `kNumWords`; `kRowsWord`: the one that says how many rows counted, or at least whether one did (-1: none);
/// - `update(access, counts, values...)`: adds a row; without `counts` all rows of a group count, and kRowsWord stays
/// 0;
/// - `merge(copy_at, n, access)`: adds the words that `copy_at(0)` to `copy_at(n - 1)` give access to;
/// - `read(access)`: returns the state that they say.
template <class S>
struct SharedState {};
template <shared_state::HasWords S>
struct SharedState<S> : S::Words {};
template <shared_state::Combines S>
struct SharedState<S> : shared_state::Derived<S, typename S::Columns> {};

/// Says whether many threads can update a state at once.
template <class S>
concept Shareable = requires {
  SharedState<S>::kNumWords;
};

}  // namespace accelerant::functions
