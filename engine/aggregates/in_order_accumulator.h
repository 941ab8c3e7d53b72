#pragma once

#include "aggregates/argument_readers.h"
#include "aggregates/function.h"
#include "aggregates/result_column.h"
#include "memory/array.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::aggregates {

/// Keeps one state S of a function F a frame, to which values are added in the order of rows.
template <class F, class S, class Result, class... A>
class InOrderAccumulator final : public FrameAccumulator {
 public:
  InOrderAccumulator(const Call& call, const execution::OperatorContext& ctx)
      : call_(call), plan_node_(ctx.plan_node), budget_(ctx.budget), states_(ctx.budget) {}

  void resize(int64_t num_groups) override { states_.resize(num_groups, S::init()); }

  void update(const GroupedRows& rows, Arguments arguments) override {
    Readers<A...>::with(arguments, [&](auto... read) {
      for_each_value(rows, call_.telling(arguments),
                     [&](int32_t group, int64_t row) { states_[group].update(read(row)...); });
    });
  }

  void merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) override {
    const memory::Array<S>& states = static_cast<const InOrderAccumulator&>(other).states_;
    for (size_t i = 0; i < from.size(); ++i) states_[into[i]] = states[from[i]];
  }

  void add_frames(const Frames& frames, Arguments arguments) override {
    const Arguments telling = call_.telling(arguments);
    Readers<A...>::with(arguments, [&](auto... read) {
      if (may_have_nulls(telling)) {
        add_all(frames, [&](S& state, int32_t row) {
          const auto is_null = [row](const columns::ColumnPtr& argument) { return argument->is_null(row); };
          if (std::ranges::none_of(telling, is_null)) state.update(read(row)...);
        });
      } else {
        add_all(frames, [&](S& state, int32_t row) { state.update(read(row)...); });
      }
    });
  }

  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const override {
    ResultColumn<F, Result> results(call_, plan_node_, length, budget_, errors);
    for (int64_t i = 0; i < length; ++i) results.add(states_[first + i]);
    return results.done();
  }

 private:
  /// Frames that are added up side by side, so that an addition need not wait for the one before it.
  static constexpr size_t kSide = 8;

  template <class Add>
  void add_all(const Frames& frames, const Add& add) {
    size_t frame = 0;
    if (frames.goes_on_at >= 0) {
      for (; frame < frames.size() && frames.begins[frame] == frames.begins[0]; ++frame) {
        go_on(frames, frame, frame == 0 ? frames.goes_on_at : frames.ends[frame - 1], add);
      }
    }
    while (frame < frames.size()) {
      if (frame > 0 && frames.begins[frame] == frames.begins[frame - 1]) {
        go_on(frames, frame, frames.ends[frame - 1], add);
        ++frame;
      } else if (are_side_by_side(frames, frame)) {
        add_side_by_side(frames, frame, add);
        frame += kSide;
      } else {
        states_[group_of(frame)] = S::init();
        add_rows(states_[group_of(frame)], frames.begins[frame], frames.ends[frame], add);
        ++frame;
      }
    }
  }

  static int64_t group_of(size_t frame) { return static_cast<int64_t>(frame) + 1; }

  template <class Add>
  static void add_rows(S& state, int32_t begin, int32_t end, const Add& add) {
    S sum = state;
    for (int32_t row = begin; row < end; ++row) add(sum, row);
    state = sum;
  }

  /// Makes a frame's state that of the one before and the rows from one on.
  template <class Add>
  void go_on(const Frames& frames, size_t frame, int32_t begin, const Add& add) {
    states_[group_of(frame)] = states_[group_of(frame) - 1];
    add_rows(states_[group_of(frame)], begin, frames.ends[frame], add);
  }

  /// Says whether a frame and those behind it go on from none.
  static bool are_side_by_side(const Frames& frames, size_t first) {
    if (first + kSide > frames.size()) return false;
    for (size_t i = 1; i < kSide; ++i) {
      if (frames.begins[first + i] == frames.begins[first + i - 1]) return false;
    }
    return true;
  }

  template <class Add>
  void add_side_by_side(const Frames& frames, size_t first, const Add& add) {
    std::array<S, kSide> sums;
    sums.fill(S::init());
    int32_t common = frames.ends[first] - frames.begins[first];
    for (size_t i = 1; i < kSide; ++i) common = std::min(common, frames.ends[first + i] - frames.begins[first + i]);
    const int32_t* begins = frames.begins.data() + first;
    for (int32_t at = 0; at < common; ++at) {
      for (size_t i = 0; i < kSide; ++i) add(sums[i], begins[i] + at);
    }
    for (size_t i = 0; i < kSide; ++i) {
      add_rows(sums[i], begins[i] + common, frames.ends[first + i], add);
      states_[group_of(first + i)] = sums[i];
    }
  }

  const Call call_;
  const int plan_node_;
  const std::shared_ptr<memory::Budget> budget_;
  memory::Array<S> states_;
};

}  // namespace accelerant::aggregates
