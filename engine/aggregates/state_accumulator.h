#pragma once

#include "aggregates/argument_readers.h"
#include "aggregates/function.h"
#include "aggregates/result_column.h"
#include "aggregates/state_schema.h"
#include "aggregates/text_store.h"
#include "base/error.h"
#include "functions/aggregate/plain_words.h"
#include "functions/aggregate/shared_state.h"

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace accelerant::aggregates {

/// Says whether the state takes a store for its texts.
template <class S>
concept HoldsText = requires(S& state, const S& other, TextStore& store) {
  state.merge(other, store);
};

/// Keeps one state S of a function F a group. A batch without nulls is first added up in lanes, where the state has
/// such and the values allow it; only those touch the states.
template <class F, class S, class Result, class... A>
class StateAccumulator final : public Accumulator {
 public:
  StateAccumulator(const Call& call, const execution::OperatorContext& ctx)
      : call_(call), plan_node_(ctx.plan_node), budget_(ctx.budget), store_(ctx.budget) {}

  void resize(int64_t num_groups) override { states_.resize(static_cast<size_t>(num_groups), S::init()); }

  void update(const GroupedRows& rows, Arguments arguments) override {
    Readers<A...>::with(arguments, [&](auto... read) {
      if constexpr (kHasLanes) {
        if (update_in_lanes(rows, arguments, read...)) return;
      }
      for_each_value(rows, call_.telling(arguments), [&](int32_t group, [[maybe_unused]] int64_t row) {
        if (HoldsText<S> && group == 0) return;
        add(state(group), read(row)...);
      });
    });
  }

  bool update_repeated(const columns::ColumnPtr& values, std::span<const int64_t> times) override {
    if constexpr (kTakesTimes) {
      bool done = true;
      Readers<A...>::with({&values, 1}, [&](auto read) {
        using Value = decltype(read(0));
        if constexpr (std::is_same_v<Value, int128>) {
          done = false;  // the product of a sum's value may have more bits
        } else {
          for (size_t i = 0; i < times.size(); ++i) {
            const auto row = static_cast<int64_t>(i);
            if (times[i] != 0 && !values->is_null(row)) add_times(states_[1], read(row), times[i]);
          }
        }
      });
      return done;
    } else {
      return false;
    }
  }

  void merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) override {
    const std::vector<S>& states = static_cast<const StateAccumulator&>(other).states_;
    for (size_t i = 0; i < from.size(); ++i) merge(state(into[i]), states[static_cast<size_t>(from[i])]);
  }

  void merge_words(std::span<const uint64_t> words, std::span<const int32_t> into) override {
    if constexpr (functions::Shareable<S>) {
      using Shared = functions::SharedState<S>;
      ACC_CHECK(words.size() == into.size() * Shared::kNumWords);
      for (size_t i = 0; i < into.size(); ++i) {
        merge(state(into[i]), Shared::read(functions::PlainWords<const uint64_t>{words.data() + i * Shared::kNumWords}));
      }
    } else {
      Accumulator::merge_words(words, into);
    }
  }

  std::vector<columns::ColumnPtr> states(int64_t first, int64_t length) const override {
    return StateWriter<S>(states_of(first, length), budget_).columns();
  }

  void merge_states(Arguments columns, std::span<const int32_t> into) override {
    const std::vector<S> states = read_states<S>(columns);
    for (size_t i = 0; i < into.size(); ++i) merge(state(into[i]), states[i]);
  }

  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const override {
    ResultColumn<F, Result> results(call_, plan_node_, length, budget_, errors);
    for (const S& state : states_of(first, length)) results.add(state);
    return results.done();
  }

  int64_t memory_bytes() const override { return static_cast<int64_t>(states_.capacity() * sizeof(S)); }

 private:
  /// Batches with more groups than this go straight to the states.
  static constexpr int64_t kMaxLaneGroups = 1024;
  /// Neighbouring rows add to different lanes, so that an addition need not wait for the one before it.
  static constexpr int64_t kLanes = 4;

  static constexpr bool kHasLanes = requires { typename S::Lane; };
  static constexpr bool kTakesTimes =
      sizeof...(A) == 1
      && (requires(S& state, typename A::Type... value) { state.update_times(value..., 1); }
          || requires(S& state, typename A::Type... value, TextStore& store) { state.update_times(value..., 1, store); });

  S& state(int32_t group) { return states_[static_cast<size_t>(group)]; }
  std::span<const S> states_of(int64_t first, int64_t length) const {
    return std::span(states_).subspan(static_cast<size_t>(first), static_cast<size_t>(length));
  }

  template <class... T>
  void add(S& state, T... values) {
    if constexpr (HoldsText<S>) {
      state.update(values..., store_);
    } else {
      state.update(values...);
    }
  }
  template <class T>
  void add_times(S& state, T value, int64_t times) {
    if constexpr (HoldsText<S>) {
      state.update_times(value, times, store_);
    } else {
      state.update_times(value, times);
    }
  }
  void merge(S& state, const S& other) {
    if constexpr (HoldsText<S>) {
      state.merge(other, store_);
    } else {
      state.merge(other);
    }
  }

  /// Says whether lanes can take all values of a batch.
  template <class... Read>
  static bool lanes_fit(int64_t num_rows, const Read&... read) {
    if constexpr (requires { S::lane_fits(read.values..., num_rows); }) {
      return S::lane_fits(read.values..., num_rows);
    } else {
      return !requires { &S::template lane_fits<int8>; };
    }
  }

  template <class... Read>
  bool update_in_lanes(const GroupedRows& rows, Arguments arguments, Read... read) {
    if (may_have_nulls(call_.telling(arguments))) return false;
    if (!rows.groups) {
      if (!lanes_fit(rows.num_rows, read...)) return false;
      update_all(rows.num_rows, read...);
      return true;
    }
    if constexpr (std::is_same_v<typename S::Lane, S>) {
      return false;
    } else {
      if (rows.num_groups > kMaxLaneGroups || rows.num_groups * kLanes > rows.num_rows) return false;
      if (!lanes_fit(rows.num_rows, read...)) return false;
      update_lanes_of_groups(rows, read...);
      return true;
    }
  }

  /// Adds rows of the one group.
  template <class... Read>
  void update_all(int64_t num_rows, Read... read) {
    if (num_rows == 0) return;
    auto lane = S::Lane::init();
    lane.update(read(0)...);
    for (int64_t row = 1; row < num_rows; ++row) lane.update(read(row)...);
    states_[1].merge(lane);
  }

  template <class... Read>
  void update_lanes_of_groups(const GroupedRows& rows, Read... read) {
    using Lane = typename S::Lane;
    std::vector<Lane>& lanes = lanes_;
    lanes.assign(static_cast<size_t>(rows.num_groups * kLanes), Lane::init());
    Lane* first = lanes.data();
    const int32_t* groups = rows.groups;
    int64_t row = 0;
    for (; row + kLanes <= rows.num_rows; row += kLanes) {
      for (int64_t lane = 0; lane < kLanes; ++lane) first[groups[row + lane] * kLanes + lane].update(read(row + lane)...);
    }
    for (; row < rows.num_rows; ++row) first[groups[row] * kLanes].update(read(row)...);
    for (size_t i = kLanes; i < lanes.size(); ++i) states_[i / kLanes].merge(lanes[i]);
  }

  struct NoLane {};
  template <class T>
  static auto lane_of() {
    if constexpr (requires { typename T::Lane; }) {
      return typename T::Lane{};
    } else {
      return NoLane{};
    }
  }

  const Call call_;
  const int plan_node_;
  const std::shared_ptr<memory::Budget> budget_;
  std::vector<S> states_;
  std::vector<decltype(lane_of<S>())> lanes_;  ///< scratch of update_lanes_of_groups
  TextStore store_;                            ///< where states hold texts
};

}  // namespace accelerant::aggregates
