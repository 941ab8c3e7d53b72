#include "groups.h"

#include "cells.h"
#include "columns/gather.h"
#include "device/primitives/update_groups.h"
#include "expressions/evaluator.h"
#include "functions/hash/xx_hash64.h"

#include <bit>
#include <cstdio>
#include <cstring>

namespace accelerant::gpu_check {

using device::kernels::AggregateKind;

Groups::Group& Groups::group_of(std::span<const columns::ColumnPtr> keys, int64_t row) {
  std::string key;
  for (const columns::ColumnPtr& column : keys) append_cell(*column, row, key);
  Group& group = groups_[key];
  group.states.resize(grouping_.calls.size());
  return group;
}

void Groups::take_extreme(AggregateKind kind, int64_t value, State& state) {
  const bool is_better = kind == AggregateKind::Minimum ? value < state.extreme : value > state.extreme;
  if (!state.has_extreme || is_better) state.extreme = value;
  state.has_extreme = true;
}

void Groups::take_in(AggregateKind kind, const columns::Column* values, int64_t row, State& state) {
  if (values != nullptr && values->is_null(row)) return;
  switch (kind) {
    case AggregateKind::Count:
      return state.sum.add(1);
    case AggregateKind::SumDouble:
      return state.doubles.update(double_at(*values, row));
    case AggregateKind::Minimum:
    case AggregateKind::Maximum:
      return take_extreme(kind, static_cast<int64_t>(integer_at(*values, row)), state);
    default:
      return state.sum.update(integer_at(*values, row));
  }
}

void Groups::merge(AggregateKind kind, const uint64_t* words, State& state) {
  switch (kind) {
    case AggregateKind::Count:
      return state.sum.add(static_cast<int64_t>(words[0]));
    case AggregateKind::SumDouble:
      return state.doubles.merge(device::binned_sum_of(words));
    case AggregateKind::Minimum:
    case AggregateKind::Maximum:
      if (device::has_extreme(words)) take_extreme(kind, device::extreme_of(kind, words), state);
      return;
    default:
      return state.sum.merge(device::exact_sum_of(words));
  }
}

void Groups::take_in(const columns::Batch& rows) {
  const std::span keys(rows.columns.data(), static_cast<size_t>(grouping_.num_keys));
  for (int64_t row = 0; row < rows.num_rows; ++row) {
    Group& group = group_of(keys, row);
    ++group.num_rows;
    for (size_t i = 0; i < grouping_.calls.size(); ++i) {
      const auto [kind, argument] = grouping_.calls[i];
      const columns::Column* values = argument < 0 ? nullptr : rows.columns[static_cast<size_t>(argument)].get();
      take_in(kind, values, row, group.states[i]);
    }
  }
}

void Groups::take_in(const codegen::GroupPart& part) {
  for (int64_t row = 0; row < part.num_groups; ++row) {
    const auto at = static_cast<size_t>(row);
    if (part.num_rows[at] == 0) continue;
    Group& group = group_of(part.keys, row);
    group.num_rows += part.num_rows[at];
    for (size_t i = 0; i < grouping_.calls.size(); ++i) {
      const AggregateKind kind = grouping_.calls[i].kind;
      const auto width = static_cast<size_t>(device::num_state_words(kind));
      merge(kind, part.states[i].data() + at * width, group.states[i]);
    }
  }
}

void Groups::take_in(const Groups& other) {
  for (const auto& [key, from] : other.groups_) {
    Group& to = groups_[key];
    to.num_rows += from.num_rows;
    to.states.resize(from.states.size());
    for (size_t i = 0; i < from.states.size(); ++i) {
      to.states[i].sum.merge(from.states[i].sum);
      to.states[i].doubles.merge(from.states[i].doubles);
      if (from.states[i].has_extreme) take_extreme(grouping_.calls[i].kind, from.states[i].extreme, to.states[i]);
    }
  }
}

std::vector<int64_t> Groups::words() const {
  std::vector<int64_t> words;
  for (const auto& [key, group] : groups_) {
    const size_t begin = words.size();
    words.resize(begin + (key.size() + sizeof(int64_t) - 1) / sizeof(int64_t));
    if (!key.empty()) std::memcpy(words.data() + begin, key.data(), key.size());
    words.push_back(group.num_rows);
    for (const State& state : group.states) {
      words.insert(words.end(), {static_cast<int64_t>(state.sum.low), static_cast<int64_t>(state.sum.low >> 64),
                                 state.sum.high, state.sum.count, state.doubles.count,
                                 std::bit_cast<int64_t>(state.doubles.value()), state.extreme, state.has_extreme});
    }
  }
  return words;
}

std::string Groups::checksum() const {
  const std::vector<int64_t> all = words();
  char digits[17];
  const auto bytes = static_cast<int64_t>(all.size() * sizeof(int64_t));
  const uint64 hash = functions::xx_hash64_bytes(reinterpret_cast<const char*>(all.data()), bytes, 42);
  std::snprintf(digits, sizeof digits, "%016lx", hash);
  return digits;
}

columns::Batch run_on_host(const codegen::RowSteps& steps, columns::Batch batch) {
  for (const codegen::RowStep& step : steps.steps) {
    expressions::Evaluator evaluator(step.program, memory::process_budget(), 0, steps.parameters);
    const bool is_filter = step.kind == codegen::RowStep::Kind::Filter;
    batch = is_filter ? evaluator.filter(std::move(batch)) : evaluator.project(batch);
  }
  return columns::compact(std::move(batch), memory::process_budget());
}

}  // namespace accelerant::gpu_check
