#pragma once

#include "aggregates/argument_readers.h"
#include "aggregates/function.h"
#include "aggregates/state_accumulator.h"
#include "aggregates/state_schema.h"
#include "aggregates/text_store.h"
#include "aggregates/value_slots.h"
#include "memory/array.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace accelerant::aggregates {

/// Keeps the first argument of the row that a state S chose, for each group; A are the other arguments.
template <class S, class... A>
class ChoosingAccumulator final : public Accumulator {
 public:
  ChoosingAccumulator(const Call& call, const execution::OperatorContext& ctx)
      : call_(call),
        budget_(ctx.budget),
        states_(ctx.budget),
        values_(call.result_type, ctx.budget),
        store_(ctx.budget),
        chosen_(ctx.budget),
        changed_(ctx.budget) {}

  void resize(int64_t num_groups) override {
    states_.resize(num_groups, S::init());
    values_.resize(num_groups);
  }

  void update(const GroupedRows& rows, Arguments arguments) override {
    if constexpr (sizeof...(A) == 0) return update_by_place(rows, arguments);
    reserve_choices(rows);
    Readers<A...>::with(arguments.subspan(1), [&](auto... read) {
      for_each_value(rows, call_.telling(arguments), [&](int32_t group, int64_t row) {
        if (group == 0 || !choose(group, read(row)..., functions::RowPosition{rows.batch, row})) return;
        note_choice(group, row);
      });
    });
    copy_choices(*arguments.front());
  }

  void merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) override {
    const auto& others = static_cast<const ChoosingAccumulator&>(other);
    std::vector<int32_t> groups;
    std::vector<int32_t> chosen;
    // Of its own groups one may have chosen what is not copied yet.
    std::unordered_map<int32_t, int32_t> origin_of;
    for (size_t i = 0; i < from.size(); ++i) {
      if ((&others != this && others.lacks_value(from[i])) || !merge(into[i], others.states_[from[i]])) continue;
      const auto origin = &others == this ? origin_of.find(from[i]) : origin_of.end();
      groups.push_back(into[i]);
      chosen.push_back(origin == origin_of.end() ? from[i] : origin->second);
      if (&others == this) origin_of[into[i]] = chosen.back();
    }
    values_.copy_slots(groups, others.values_, chosen);
  }

  std::vector<columns::ColumnPtr> states(int64_t first, int64_t length) const override {
    const auto states = states_.span().subspan(static_cast<size_t>(first), static_cast<size_t>(length));
    std::vector<columns::ColumnPtr> columns = StateWriter<S>(states, budget_).columns();
    columns.push_back(values_.finish(first, length));
    return columns;
  }

  void merge_states(Arguments columns, std::span<const int32_t> into) override {
    const std::vector<S> states = read_states<S>(columns);
    std::vector<int32_t> groups;
    std::vector<int32_t> rows;
    for (size_t i = 0; i < into.size(); ++i) {
      if (!merge(into[i], states[i])) continue;
      groups.push_back(into[i]);
      rows.push_back(static_cast<int32_t>(i));
    }
    values_.set_rows(groups, *columns.back(), rows);
  }

  columns::ColumnPtr finish(int64_t first, int64_t length, std::vector<columns::RowError>&) const override {
    return values_.finish(first, length);
  }

 private:
  static constexpr int32_t kNone = -1;

  /// Only the last row that a group chose of a batch is copied. A group that has chosen chooses no other one when it is
  /// asked again, so that what is left to be copied stays noted.
  void reserve_choices(const GroupedRows& rows) {
    chosen_.resize(states_.size(), kNone);
    changed_.reserve(std::min(states_.size(), changed_.size() + rows.num_rows));
  }
  /// Says whether a group chose a row that was not copied, of a batch that is added again: here, or to other states if
  /// these are written to disk before.
  bool lacks_value(int32_t group) const { return group < chosen_.size() && chosen_[group] != kNone; }
  void note_choice(int32_t group, int64_t row) {
    if (chosen_[group] == kNone) changed_.push_back(group);
    chosen_[group] = static_cast<int32_t>(row);
  }
  void copy_choices(const columns::Column& values) {
    std::vector<int32_t> rows;
    rows.reserve(static_cast<size_t>(changed_.size()));
    for (const int32_t group : changed_) rows.push_back(chosen_[group]);
    values_.set_rows(changed_.span(), values, rows);
    for (const int32_t group : changed_) chosen_[group] = kNone;
    changed_.clear();
  }

  /// The place of most rows is enough to pass over them.
  void update_by_place(const GroupedRows& rows, Arguments arguments) {
    if constexpr (sizeof...(A) == 0) {
      const bool is_nested = values_.is_nested();
      if (is_nested) reserve_choices(rows);
      const Arguments telling = call_.telling(arguments);
      const bool has_nulls = may_have_nulls(telling);
      for (int64_t i = 0; i < rows.num_rows; ++i) {
        const int64_t row = S::kBackwards ? rows.num_rows - 1 - i : i;
        const int32_t group = rows.group_of(row);
        const functions::RowPosition place{rows.batch, row};
        if (group == 0 || !states_[group].takes(place)) continue;
        if (has_nulls && std::ranges::any_of(telling, [&](const auto& argument) { return argument->is_null(row); })) {
          continue;
        }
        is_nested ? note_choice(group, row) : values_.set(group, *arguments.front(), row);
        states_[group].update(place);
      }
      if (is_nested) copy_choices(*arguments.front());
    }
  }

  template <class... T>
  bool choose(int32_t group, T... values) {
    S& state = states_[group];
    if constexpr (HoldsText<S>) {
      return state.update(values..., store_);
    } else {
      return state.update(values...);
    }
  }
  bool merge(int32_t group, const S& other) {
    S& state = states_[group];
    if constexpr (HoldsText<S>) {
      return state.merge(other, store_);
    } else {
      return state.merge(other);
    }
  }

  const Call call_;
  const std::shared_ptr<memory::Budget> budget_;
  memory::Array<S> states_;
  ValueSlots values_;
  TextStore store_;                 ///< where states hold texts
  memory::Array<int32_t> chosen_;   ///< of a batch: the row that a group chose, or kNone
  memory::Array<int32_t> changed_;  ///< groups that chose one
};

}  // namespace accelerant::aggregates
