#pragma once

#include "aggregates/argument_readers.h"
#include "aggregates/function.h"
#include "aggregates/held_rows.h"
#include "aggregates/result_column.h"
#include "memory/array.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace accelerant::aggregates {

/// Adds the values of few rows up as Spark does: those of each of Spark's partitions one after the other in a state S
/// of a function F, then the states of the partitions. More rows than few are added up by another accumulator.
template <class F, class S, class Result, class... A>
class FewRowsAccumulator final : public Accumulator {
 public:
  /// @param of_many takes all rows, too, as nobody knows how many come
  FewRowsAccumulator(const Call& call, const execution::OperatorContext& ctx, std::unique_ptr<Accumulator> of_many)
      : call_(call),
        plan_node_(ctx.plan_node),
        budget_(ctx.budget),
        of_many_(std::move(of_many)),
        rows_(static_cast<int>(sizeof...(A)), ctx.budget),
        states_(ctx.budget) {}

  void resize(int64_t num_groups) override {
    of_many_->resize(num_groups);
    num_groups_ = num_groups;
  }

  void update(const GroupedRows& rows, Arguments arguments) override {
    const bool holds = rows_.make_room(rows);
    // Where this throws, the same rows come again.
    of_many_->update(rows, arguments);
    if (!holds) return;
    rows_.begin(rows);
    Readers<A...>::with(arguments, [&](auto... read) {
      for_each_value(rows, call_.telling(arguments), [&](int32_t group, int64_t row) {
        const double values[] = {static_cast<double>(read(row))...};
        if (group != 0) rows_.add(group, values);
      });
    });
  }

  /// What is counted by value is in no order.
  bool update_repeated(const columns::ColumnPtr& values, std::span<const int64_t> times) override {
    return !rows_.are_all() && of_many_->update_repeated(values, times);
  }

  void merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) override {
    const auto& others = static_cast<const FewRowsAccumulator&>(other);
    rows_.merge(others.rows_, from, into);
    of_many_->merge(*others.of_many_, from, into);
  }

  void merge_words(std::span<const uint64_t> words, std::span<const int32_t> into) override {
    rows_.forget();
    of_many_->merge_words(words, into);
  }

  std::vector<columns::ColumnPtr> states(int64_t first, int64_t length) const override {
    return of_many_->states(first, length);
  }

  void merge_states(Arguments states, std::span<const int32_t> into) override {
    rows_.forget();
    of_many_->merge_states(states, into);
  }

  void forget_order() override { rows_.forget(); }

  void seal() override {
    of_many_->seal();
    if (rows_.are_all()) add_up(std::index_sequence_for<A...>());
  }

  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>& errors) const override {
    if (!rows_.are_all()) return of_many_->finish(first, length, errors);
    ResultColumn<F, Result> results(call_, plan_node_, length, budget_, errors);
    for (int64_t i = 0; i < length; ++i) results.add(states_[first + i]);
    return results.done();
  }

 private:
  template <size_t... I>
  void add_up(std::index_sequence<I...>) {
    states_.resize(num_groups_, S::init());
    S part = S::init();
    int32_t group_of_part = 0;
    int64_t partition_of_part = 0;
    rows_.visit_in_order([&](int32_t group, int64_t partition, const double* values) {
      if (group != group_of_part || partition != partition_of_part) {
        merge(std::exchange(part, S::init()), states_[group_of_part]);
        group_of_part = group;
        partition_of_part = partition;
      }
      part.update(values[I]...);
    });
    merge(part, states_[group_of_part]);
  }

  void merge(const S& part, S& into) const {
    if constexpr (requires { into.merge(part, call_.options); }) {
      into.merge(part, call_.options);
    } else {
      into.merge(part);
    }
  }

  const Call call_;
  const int plan_node_;
  const std::shared_ptr<memory::Budget> budget_;
  const std::unique_ptr<Accumulator> of_many_;
  HeldRows rows_;
  int64_t num_groups_ = 0;
  memory::Array<S> states_;  ///< of each group, once sealed
};

}  // namespace accelerant::aggregates
