#include "aggregates/placing_accumulator.h"

#include "base/error.h"
#include "columns/value_reader.h"
#include "memory/buffer.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace accelerant::aggregates {

using columns::ColumnPtr;

PlacingAccumulator::PlacingAccumulator(const Call& call, const execution::OperatorContext& ctx)
    : call_(call),
      budget_(ctx.budget),
      plan_node_(ctx.plan_node),
      num_places_(call.options.num_places),
      values_(call.argument_types.front(), ctx.budget) {}

void PlacingAccumulator::resize(int64_t num_groups) {
  if (num_groups > std::numeric_limits<int32_t>::max() / std::max(num_places_, 1)) {
    throw Error(ErrorKind::Unsupported, "the arrays of all groups hold at most 2,147,483,647 values")
        .at_plan_node(plan_node_);
  }
  values_.resize(num_groups * num_places_);
}

void PlacingAccumulator::update(const GroupedRows& rows, Arguments arguments) {
  const columns::Column& values = *arguments[0];
  const columns::ValueReader<int64_t> place(*arguments[1]);
  for_each_value(rows, call_.telling(arguments), [&](int32_t group, int64_t row) {
    const int64_t at = place(row);
    if (group == 0 || at < 1 || at > num_places_) return;
    values_.set(first_slot(group) + static_cast<int32_t>(at) - 1, values, row);
  });
}

void PlacingAccumulator::merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) {
  const auto& others = static_cast<const PlacingAccumulator&>(other);
  std::vector<int32_t> slots;
  std::vector<int32_t> others_slots;
  for (size_t i = 0; i < from.size(); ++i) {
    for (int32_t place = 0; place < num_places_; ++place) {
      const int32_t slot = first_slot(from[i]) + place;
      if (!others.values_.has_value(slot)) continue;
      slots.push_back(first_slot(into[i]) + place);
      others_slots.push_back(slot);
    }
  }
  values_.copy_slots(slots, others.values_, others_slots);
}

std::vector<ColumnPtr> PlacingAccumulator::states(int64_t first, int64_t length) const {
  return {arrays(first, length)};
}

void PlacingAccumulator::merge_states(Arguments states, std::span<const int32_t> into) {
  const columns::Column& elements = *states.front()->children()[0];
  const auto* offsets = states.front()->values<int32_t>();
  std::vector<int32_t> slots;
  std::vector<int32_t> rows;
  for (size_t i = 0; i < into.size(); ++i) {
    for (int32_t place = 0; place < num_places_; ++place) {
      if (elements.is_null(offsets[i] + place)) continue;
      slots.push_back(first_slot(into[i]) + place);
      rows.push_back(offsets[i] + place);
    }
  }
  values_.set_rows(slots, elements, rows);
}

ColumnPtr PlacingAccumulator::finish(int64_t first, int64_t length, std::vector<columns::RowError>&) const {
  return arrays(first, length);
}

ColumnPtr PlacingAccumulator::arrays(int64_t first, int64_t length) const {
  auto offsets = memory::Buffer::allocate((length + 1) * static_cast<int64_t>(sizeof(int32_t)), budget_);
  for (int64_t i = 0; i <= length; ++i) offsets->mutable_as<int32_t>()[i] = static_cast<int32_t>(i * num_places_);
  columns::FlatParts parts{
      call_.result_type, types::PhysicalType::Array, length, 0, std::move(offsets), nullptr, {}, {}};
  parts.children.push_back(values_.finish(first * num_places_, length * num_places_));
  return columns::Column::flat(std::move(parts));
}

std::vector<types::DataType> placed_state_types(const Call& call) { return {call.result_type}; }

}  // namespace accelerant::aggregates
