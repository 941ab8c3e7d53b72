#pragma once

#include "aggregates/grouped_rows.h"

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace accelerant::aggregates {

template <class S>
concept HasLane = requires {
  typename S::Lane;
};

/// Adds batches without nulls up in lanes, where the state S has such and the values allow it; only the lanes touch the
/// states.
template <class S>
class BatchLanes {};

template <HasLane S>
class BatchLanes<S> {
 public:
  /// Adds a batch's values to the states of its groups; false where they have to be added row by row.
  template <class... Read>
  bool add(const GroupedRows& rows, std::span<S> states, Read... read) {
    if (!rows.groups) {
      if (!fit(rows.num_rows, read...)) return false;
      add_all(rows.num_rows, states[1], read...);
      return true;
    }
    if constexpr (std::is_same_v<Lane, S>) {
      return false;
    } else {
      if (rows.num_groups > kMostGroups || rows.num_groups * kLanes > rows.num_rows) return false;
      if (!fit(rows.num_rows, read...)) return false;
      add_to_groups(rows, states, read...);
      return true;
    }
  }

 private:
  using Lane = typename S::Lane;
  /// Batches with more groups than this go straight to the states.
  static constexpr int64_t kMostGroups = 1024;
  /// Neighbouring rows add to different lanes, so that an addition need not wait for the one before it.
  static constexpr int64_t kLanes = 4;

  /// Says whether lanes can take all values of a batch.
  template <class... Read>
  static bool fit(int64_t num_rows, const Read&... read) {
    if constexpr (requires { S::lane_fits(read.values..., num_rows); }) {
      return S::lane_fits(read.values..., num_rows);
    } else {
      return !requires { &S::template lane_fits<int8_t>; };
    }
  }

  /// Adds rows of the one group.
  template <class... Read>
  static void add_all(int64_t num_rows, S& state, Read... read) {
    if (num_rows == 0) return;
    Lane lane = Lane::init();
    lane.update(read(0)...);
    for (int64_t row = 1; row < num_rows; ++row) lane.update(read(row)...);
    state.merge(lane);
  }

  template <class... Read>
  void add_to_groups(const GroupedRows& rows, std::span<S> states, Read... read) {
    lanes_.assign(static_cast<size_t>(rows.num_groups * kLanes), Lane::init());
    Lane* lanes = lanes_.data();
    const int32_t* groups = rows.groups;
    int64_t row = 0;
    for (; row + kLanes <= rows.num_rows; row += kLanes) {
      for (int64_t lane = 0; lane < kLanes; ++lane)
        lanes[groups[row + lane] * kLanes + lane].update(read(row + lane)...);
    }
    for (; row < rows.num_rows; ++row) lanes[groups[row] * kLanes].update(read(row)...);
    // Group 0 is nobody's.
    for (size_t i = kLanes; i < lanes_.size(); ++i) states[i / kLanes].merge(lanes_[i]);
  }

  std::vector<Lane> lanes_;  ///< of each group
};

}  // namespace accelerant::aggregates
