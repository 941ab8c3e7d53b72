#include "aggregates/nested_extreme_accumulator.h"

#include "column_functions/value_order.h"
#include "columns/gather.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace accelerant::aggregates {

using columns::Column;
using columns::ColumnPtr;
using functions::RowPosition;
using types::DataType;

namespace {

constexpr int32_t kNone = -1;
constexpr RowPosition kNoPlace{-1, -1};

bool is_one(RowPosition place) { return place.batch >= 0; }

/// Says whether the result is a value beside the ordering.
bool has_value(const Call& call) { return call.overload->arguments.size() > 1; }

DataType kept_type(const Call& call) {
  if (!has_value(call)) return call.argument_types[0];
  return DataType::structure({{"value", call.argument_types[0]}, {"ordering", call.argument_types[1]}});
}

std::vector<int32_t> groups_from(int64_t first, int64_t length) {
  std::vector<int32_t> groups(static_cast<size_t>(length));
  std::iota(groups.begin(), groups.end(), static_cast<int32_t>(first));
  return groups;
}

/// Returns a member of a flat column of structs, whose nulls it has not.
ColumnPtr member_of(const Column& structs, size_t member) {
  return structs.children()[member]->slice(structs.offset(), structs.length());
}

}  // namespace

NestedExtremeAccumulator::NestedExtremeAccumulator(const Call& call, const execution::OperatorContext& ctx,
                                                   bool is_greatest)
    : call_(call),
      budget_(ctx.budget),
      is_greatest_(is_greatest),
      places_(budget_),
      kept_(kept_type(call_), budget_),
      chosen_(budget_) {}

void NestedExtremeAccumulator::resize(int64_t num_groups) {
  places_.resize(num_groups, kNoPlace);
  kept_.resize(num_groups);
  chosen_.resize(num_groups, kNone);
}

ColumnPtr NestedExtremeAccumulator::kept_of(Arguments arguments) const {
  if (!has_value(call_)) return arguments[0];
  return Column::flat({kept_type(call_),
                       types::PhysicalType::Struct,
                       arguments[0]->length(),
                       0,
                       nullptr,
                       nullptr,
                       {},
                       {arguments[0], arguments[1]}});
}

ColumnPtr NestedExtremeAccumulator::ordering_of(const ColumnPtr& kept) const {
  return has_value(call_) ? member_of(*kept, 1) : kept;
}

bool NestedExtremeAccumulator::wins(int order, RowPosition place, RowPosition kept) const {
  if (order != 0) return (order > 0) == is_greatest_;
  // A row wins over itself, so that it does when it is asked again.
  return has_value(call_) ? !(place < kept) : !(kept < place);
}

void NestedExtremeAccumulator::choose(const GroupedRows& rows, Arguments arguments) {
  for (const int32_t group : changed_) chosen_[group] = kNone;
  changed_.clear();
  const Column& orderings = *arguments[call_.overload->arguments.size() - 1];
  column_functions::with_order(orderings, orderings, [&](auto compare) {
    for_each_value(rows, call_.telling(arguments), [&](int32_t group, int64_t row) {
      if (group == 0) return;
      int32_t& best = chosen_[group];
      if (best == kNone) {
        changed_.push_back(group);
      } else if (!wins(compare(row, best), {rows.batch, row}, {rows.batch, best})) {
        return;
      }
      best = static_cast<int32_t>(row);
    });
  });
}

void NestedExtremeAccumulator::update(const GroupedRows& rows, Arguments arguments) {
  choose(rows, arguments);
  std::vector<int32_t> groups;
  std::vector<int32_t> winners;
  const ColumnPtr held = kept_.values_of(changed_, budget_);
  const ColumnPtr before = ordering_of(held);
  column_functions::with_order(*arguments[call_.overload->arguments.size() - 1], *before, [&](auto compare) {
    for (size_t i = 0; i < changed_.size(); ++i) {
      const int32_t row = chosen_[changed_[i]];
      const auto kept = static_cast<int64_t>(i);
      const RowPosition kept_place = places_[changed_[i]];
      if (!held->is_null(kept) && !wins(compare(row, kept), {rows.batch, row}, kept_place)) continue;
      groups.push_back(changed_[i]);
      winners.push_back(row);
    }
  });
  // Places come first: where no memory is left for the rows, the same win when they are asked again.
  for (size_t i = 0; i < groups.size(); ++i) places_[groups[i]] = {rows.batch, winners[i]};
  kept_.set(groups, *kept_of(arguments), winners);
}

NestedExtremeAccumulator::Contenders NestedExtremeAccumulator::contenders_of(
    std::span<const int32_t> groups, const std::shared_ptr<memory::Budget>& budget) const {
  Contenders found{kept_.values_of(groups, budget), {}};
  found.places.reserve(groups.size());
  for (size_t i = 0; i < groups.size(); ++i) {
    // A place without a row is that of one which memory was too short for: its batch is added again.
    found.places.push_back(found.rows->is_null(static_cast<int64_t>(i)) ? kNoPlace : places_[groups[i]]);
  }
  return found;
}

void NestedExtremeAccumulator::contend(const Contenders& others, std::span<const int32_t> into,
                                       std::span<const int32_t> from) {
  if (into.empty()) return;
  Contenders all = contenders_of(into, budget_);
  const auto num_own = static_cast<int32_t>(into.size());
  all.rows = columns::concatenate(std::vector{all.rows, others.rows}, budget_);
  all.places.insert(all.places.end(), others.places.begin(), others.places.end());
  std::unordered_map<int32_t, int32_t> row_of;  // what each group keeps
  for (int32_t i = 0; i < num_own; ++i) row_of.emplace(into[static_cast<size_t>(i)], i);
  const auto place_of = [&](int32_t row) { return all.places[static_cast<size_t>(row)]; };
  const ColumnPtr orderings = ordering_of(all.rows);
  column_functions::with_order(*orderings, *orderings, [&](auto compare) {
    for (size_t i = 0; i < into.size(); ++i) {
      const auto source = from.empty() ? row_of.end() : row_of.find(from[i]);
      const int32_t row = source == row_of.end() ? num_own + static_cast<int32_t>(i) : source->second;
      int32_t& kept = row_of[into[i]];
      if (!is_one(place_of(row))) continue;
      if (!is_one(place_of(kept)) || wins(compare(row, kept), place_of(row), place_of(kept))) kept = row;
    }
  });
  std::vector<int32_t> groups;
  std::vector<int32_t> rows;
  for (const auto& [group, row] : row_of) {
    if (row < num_own && into[static_cast<size_t>(row)] == group) continue;
    groups.push_back(group);
    rows.push_back(row);
  }
  kept_.set(groups, *all.rows, rows);
  for (size_t i = 0; i < groups.size(); ++i) places_[groups[i]] = place_of(rows[i]);
}

void NestedExtremeAccumulator::merge(const Accumulator& other, std::span<const int32_t> from,
                                     std::span<const int32_t> into) {
  const auto& others = static_cast<const NestedExtremeAccumulator&>(other);
  contend(others.contenders_of(from, budget_), into, &others == this ? from : std::span<const int32_t>());
}

std::vector<ColumnPtr> NestedExtremeAccumulator::states(int64_t first, int64_t length) const {
  const DataType number(types::TypeId::Long);
  columns::FlatBuilder batches(number, number.physical(), length, budget_);
  columns::FlatBuilder rows(number, number.physical(), length, budget_);
  for (int64_t i = 0; i < length; ++i) {
    batches.values<int64_t>()[i] = places_[first + i].batch;
    rows.values<int64_t>()[i] = places_[first + i].row;
  }
  return {kept_.values_of(groups_from(first, length), budget_), batches.finish(), rows.finish()};
}

void NestedExtremeAccumulator::merge_states(Arguments states, std::span<const int32_t> into) {
  Contenders others{states[0], {}};
  for (size_t i = 0; i < into.size(); ++i) {
    others.places.push_back({states[1]->values<int64_t>()[i], states[2]->values<int64_t>()[i]});
  }
  contend(others, into, {});
}

ColumnPtr NestedExtremeAccumulator::finish(int64_t first, int64_t length, std::vector<columns::RowError>&) const {
  const ColumnPtr kept = kept_.values_of(groups_from(first, length), budget_);
  if (!has_value(call_)) return kept;
  std::vector<int32_t> rows = groups_from(0, length);
  for (int64_t i = 0; i < length; ++i) {
    if (!is_one(places_[first + i])) rows[static_cast<size_t>(i)] = kNone;
  }
  return columns::gather_or_null(*member_of(*kept, 0), rows, budget_);
}

std::vector<DataType> nested_extreme_state_types(const Call& call) {
  return {kept_type(call), DataType(types::TypeId::Long), DataType(types::TypeId::Long)};
}

}  // namespace accelerant::aggregates
