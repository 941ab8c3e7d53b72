#pragma once

#include "operators/accumulator.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::operators {

/// An accumulator that keeps one State a group, made by `State::init` and merged by `State::merge`.
template <class State>
class StateAccumulator : public Accumulator {
 public:
  StateAccumulator(const plan::AggregateCall& call, const execution::OperatorContext& ctx)
      : call_(call), budget_(ctx.budget) {}

  void resize(int64_t num_groups) final { states_.resize(static_cast<size_t>(num_groups), State::init()); }

  void merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) final {
    const auto& states = static_cast<const StateAccumulator&>(other).states_;
    for (size_t i = 0; i < from.size(); ++i) {
      states_[static_cast<size_t>(into[i])].merge(states[static_cast<size_t>(from[i])]);
    }
  }

  int64_t memory_bytes() const override { return static_cast<int64_t>(states_.capacity() * sizeof(State)); }

 protected:
  State& state(int32_t group) { return states_[static_cast<size_t>(group)]; }
  /// The states of groups [first, first + length).
  std::span<const State> states(int64_t first, int64_t length) const {
    return std::span(states_).subspan(static_cast<size_t>(first), static_cast<size_t>(length));
  }

  const plan::AggregateCall call_;
  const std::shared_ptr<memory::Budget> budget_;
  std::vector<State> states_;
};

}  // namespace accelerant::operators
