#pragma once

#include "aggregates/grouped_rows.h"

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace accelerant::aggregates {

template <class S>
concept HasBatchState = requires {
  typename S::BatchState;
};

/// Adds batches without nulls up in smaller states, where the state S has such and the values allow it; only these
/// touch the states.
template <class S>
class BatchStates {};

template <HasBatchState S>
class BatchStates<S> {
 public:
  /// Adds a batch's values to the states of its groups; false where they have to be added row by row.
  template <class... Read>
  bool add(const GroupedRows& rows, std::span<S> states, Read... read) {
    if (!rows.groups) {
      if (!fit(rows.num_rows, read...)) return false;
      add_all(rows.num_rows, states[1], read...);
      return true;
    }
    if constexpr (std::is_same_v<BatchState, S>) {
      return false;
    } else {
      if (rows.num_groups > kMostGroups || rows.num_groups * kCopies > rows.num_rows) return false;
      if (!fit(rows.num_rows, read...)) return false;
      add_to_groups(rows, states, read...);
      return true;
    }
  }

 private:
  using BatchState = typename S::BatchState;
  /// Batches with more groups than this go straight to the states.
  static constexpr int64_t kMostGroups = 1024;
  /// Neighbouring rows add to different ones of a group, so that an addition need not wait for the one before it.
  static constexpr int64_t kCopies = 4;

  /// Says whether they can take all values of a batch.
  template <class... Read>
  static bool fit(int64_t num_rows, const Read&... read) {
    if constexpr (requires { S::batch_fits(read.values..., num_rows); }) {
      return S::batch_fits(read.values..., num_rows);
    } else {
      return !requires { &S::template batch_fits<int8_t>; };
    }
  }

  /// Adds rows of the one group.
  template <class... Read>
  static void add_all(int64_t num_rows, S& state, Read... read) {
    if (num_rows == 0) return;
    BatchState sum = BatchState::init();
    sum.update(read(0)...);
    for (int64_t row = 1; row < num_rows; ++row) sum.update(read(row)...);
    state.merge(sum);
  }

  template <class... Read>
  void add_to_groups(const GroupedRows& rows, std::span<S> states, Read... read) {
    batch_states_.assign(static_cast<size_t>(rows.num_groups * kCopies), BatchState::init());
    BatchState* copies = batch_states_.data();
    const int32_t* groups = rows.groups;
    int64_t row = 0;
    for (; row + kCopies <= rows.num_rows; row += kCopies) {
      for (int64_t copy = 0; copy < kCopies; ++copy)
        copies[groups[row + copy] * kCopies + copy].update(read(row + copy)...);
    }
    for (; row < rows.num_rows; ++row) copies[groups[row] * kCopies].update(read(row)...);
    // Group 0 is nobody's.
    for (size_t i = kCopies; i < batch_states_.size(); ++i) states[i / kCopies].merge(batch_states_[i]);
  }

  std::vector<BatchState> batch_states_;  ///< of each group so many
};

}  // namespace accelerant::aggregates
