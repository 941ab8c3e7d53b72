#pragma once

#include "aggregates/argument_readers.h"
#include "aggregates/batch_states.h"
#include "aggregates/function.h"
#include "aggregates/result_column.h"
#include "aggregates/sliding_state.h"
#include "aggregates/state_schema.h"
#include "aggregates/text_store.h"
#include "base/error.h"
#include "functions/aggregate/plain_words.h"
#include "functions/aggregate/shared_state.h"
#include "memory/array.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace accelerant::aggregates {

/// Says whether the state takes a store for its texts and, before it, what the call says.
template <class S>
concept TakesContext = requires(S& state, const S& other, const functions::AggregateContext& context,
                                TextStore& store) {
  state.merge(other, context, store);
};
/// Says whether the state takes a store for its texts.
template <class S>
concept HoldsText = TakesContext<S> || requires(S& state, const S& other, TextStore& store) {
  state.merge(other, store);
};

/// Keeps one state S of a function F a group. A batch without nulls is first added up in smaller states, where S has
/// such and the values allow it; only those touch the states.
template <class F, class S, class Result, class... A>
class StateAccumulator final : public Accumulator {
 public:
  StateAccumulator(const Call& call, const execution::OperatorContext& ctx)
      : call_(call),
        context_(call_.context()),
        plan_node_(ctx.plan_node),
        budget_(ctx.budget),
        states_(ctx.budget),
        store_(ctx.budget) {}

  void resize(int64_t num_groups) override { states_.resize(num_groups, S::init()); }

  void update(const GroupedRows& rows, Arguments arguments) override {
    Readers<A...>::with(arguments, [&](auto... read) {
      if constexpr (kHasBatchState) {
        if (!may_have_nulls(call_.telling(arguments)) && batch_states_.add(rows, states_.span(), read...)) return;
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
    const memory::Array<S>& states = static_cast<const StateAccumulator&>(other).states_;
    for (size_t i = 0; i < from.size(); ++i) merge(state(into[i]), states[from[i]]);
  }

  bool slide(std::span<const int32_t> begins, std::span<const int32_t> ends, Arguments arguments) override {
    if constexpr (kRetracts) {
      const Arguments telling = call_.telling(arguments);
      const bool has_nulls = may_have_nulls(telling);
      Readers<A...>::with(arguments, [&](auto... read) {
        const auto with = [&]([[maybe_unused]] int32_t row, auto change) {
          const auto is_null = [row](const columns::ColumnPtr& argument) { return argument->is_null(row); };
          if (!has_nulls || std::ranges::none_of(telling, is_null)) change(read(row)...);
        };
        slide_state<S>(begins, ends, with,
                       [&](size_t frame, const S& state) { states_[static_cast<int64_t>(frame) + 1] = state; });
      });
      return true;
    } else {
      return false;
    }
  }

  void merge_words(std::span<const uint64_t> words, std::span<const int32_t> into) override {
    if constexpr (functions::Shareable<S>) {
      using Shared = functions::SharedState<S>;
      ACC_CHECK(words.size() == into.size() * Shared::kNumWords);
      for (size_t i = 0; i < into.size(); ++i) {
        merge(state(into[i]),
              Shared::read(functions::PlainWords<const uint64_t>{words.data() + i * Shared::kNumWords}));
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

 private:
  static constexpr bool kHasBatchState = requires { typename S::BatchState; };
  static constexpr bool kTakesTimes =
      sizeof...(A) == 1 &&
      (
          requires(S & state, typename A::Type... value) { state.update_times(value..., 1); } ||
          requires(S & state, typename A::Type... value, TextStore& store) {
            state.update_times(value..., 1, store);
          } ||
          requires(S & state, typename A::Type... value, const functions::AggregateContext& context, TextStore& store) {
            state.update_times(value..., 1, context, store);
          });

  static constexpr bool kRetracts = requires(S & state, typename A::Type... value) { state.retract(value...); };

  S& state(int32_t group) { return states_[group]; }
  std::span<const S> states_of(int64_t first, int64_t length) const {
    return states_.span().subspan(static_cast<size_t>(first), static_cast<size_t>(length));
  }

  template <class... T>
  void add(S& state, T... values) {
    if constexpr (TakesContext<S>) {
      state.update(values..., context_, store_);
    } else if constexpr (HoldsText<S>) {
      state.update(values..., store_);
    } else {
      state.update(values...);
    }
  }
  template <class T>
  void add_times(S& state, T value, int64_t times) {
    if constexpr (TakesContext<S>) {
      state.update_times(value, times, context_, store_);
    } else if constexpr (HoldsText<S>) {
      state.update_times(value, times, store_);
    } else {
      state.update_times(value, times);
    }
  }
  void merge(S& state, const S& other) {
    if constexpr (TakesContext<S>) {
      state.merge(other, context_, store_);
    } else if constexpr (HoldsText<S>) {
      state.merge(other, store_);
    } else {
      state.merge(other);
    }
  }

  const Call call_;
  const functions::AggregateContext context_;
  const int plan_node_;
  const std::shared_ptr<memory::Budget> budget_;
  memory::Array<S> states_;
  BatchStates<S> batch_states_;
  TextStore store_;  ///< where states hold texts
};

}  // namespace accelerant::aggregates
