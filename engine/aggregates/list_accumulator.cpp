#include "aggregates/list_accumulator.h"

#include "base/error.h"
#include "columns/gather.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace accelerant::aggregates {

using columns::ColumnPtr;
using types::DataType;

namespace {

DataType batches_type() { return DataType::array(DataType(types::TypeId::Long), false); }

/// A value of a state that is merged.
struct StateValue {
  int64_t batch;
  int32_t position;  ///< among the elements of all lists
  int32_t group;
};

}  // namespace

ListAccumulator::ListAccumulator(const Call& call, const execution::OperatorContext& ctx)
    : call_(call), budget_(ctx.budget), plan_node_(ctx.plan_node), order_(ctx.budget), first_of_group_(ctx.budget) {}

void ListAccumulator::update(const GroupedRows& rows, Arguments arguments) {
  std::vector<int32_t> taken;
  std::vector<int32_t> groups;
  for_each_value(rows, call_.telling(arguments), [&](int32_t group, int64_t row) {
    if (group == 0) return;
    taken.push_back(static_cast<int32_t>(row));
    groups.push_back(group);
  });
  if (taken.empty()) return;
  note_constants(arguments.subspan(1, call_.num_constants()), taken.front());
  take(rows.batch, *arguments.front(), taken, groups);
}

void ListAccumulator::take(int64_t batch, const columns::Column& values, std::span<const int32_t> taken,
                           std::span<const int32_t> groups) {
  const ColumnPtr own = columns::copy_compact(*columns::gather(values, taken, budget_), budget_);
  memory::Array<int32_t> own_groups(budget_);
  own_groups.reserve(static_cast<int64_t>(groups.size()));
  own_groups.append(groups);
  num_chunk_values_ += static_cast<int64_t>(taken.size());
  chunks_.push_back({batch, own, std::move(own_groups)});
}

void ListAccumulator::note_constants(Arguments constants, int32_t row) {
  if (!constants_.empty()) return;
  const std::span<const int32_t> rows(&row, 1);
  std::vector<ColumnPtr> own;
  for (const ColumnPtr& constant : constants) {
    own.push_back(columns::copy_compact(*columns::gather(*constant, rows, budget_), budget_));
  }
  constants_ = std::move(own);
}

void ListAccumulator::merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) {
  const auto& others = static_cast<const ListAccumulator&>(other);
  note_constants(others.constants_, 0);
  std::vector<int32_t> new_group(static_cast<size_t>(others.num_groups_), 0);
  for (size_t i = 0; i < from.size(); ++i) new_group[static_cast<size_t>(from[i])] = into[i];
  for (const Chunk& chunk : others.chunks_) {
    std::vector<int32_t> taken;
    std::vector<int32_t> groups;
    for (int64_t i = 0; i < chunk.groups.size(); ++i) {
      const int32_t group = new_group[static_cast<size_t>(chunk.groups[i])];
      if (group == 0) continue;
      taken.push_back(static_cast<int32_t>(i));
      groups.push_back(group);
    }
    if (!taken.empty()) take(chunk.batch, *chunk.values, taken, groups);
  }
}

void ListAccumulator::seal() {
  if (num_chunk_values_ > std::numeric_limits<int32_t>::max()) {
    throw Error(ErrorKind::Unsupported, "collected lists hold at most 2,147,483,647 values").at_plan_node(plan_node_);
  }
  std::stable_sort(chunks_.begin(), chunks_.end(), [](const Chunk& a, const Chunk& b) { return a.batch < b.batch; });
  std::vector<ColumnPtr> parts;
  int32_t end = 0;
  for (const Chunk& chunk : chunks_) {
    parts.push_back(chunk.values);
    end += static_cast<int32_t>(chunk.groups.size());
    runs_.push_back({end, chunk.batch});
  }
  if (!parts.empty()) values_ = columns::concatenate(parts, budget_);
  order_by_group(num_chunk_values_);
  chunks_.clear();
}

void ListAccumulator::order_by_group(int64_t num_values) {
  first_of_group_.resize(num_groups_ + 1);
  for (const Chunk& chunk : chunks_) {
    for (const int32_t group : chunk.groups) ++first_of_group_[group + 1];
  }
  for (int64_t group = 1; group <= num_groups_; ++group) first_of_group_[group] += first_of_group_[group - 1];
  order_.resize(num_values);
  memory::Array<int32_t> next(budget_);
  next.append(first_of_group_.span());
  int32_t position = 0;
  for (const Chunk& chunk : chunks_) {
    for (const int32_t group : chunk.groups) {
      order_[next[group]++] = position++;
    }
  }
}

std::span<const int32_t> ListAccumulator::positions_of(int64_t first, int64_t length) const {
  const auto start = static_cast<size_t>(first_of_group_[first]);
  const auto end = static_cast<size_t>(first_of_group_[first + length]);
  return order_.span().subspan(start, end - start);
}

int64_t ListAccumulator::batch_of(int32_t position) const {
  return std::ranges::upper_bound(runs_, position, {}, &Run::end)->batch;
}

ColumnPtr ListAccumulator::lists_of(const DataType& type, int64_t first, int64_t length, ColumnPtr elements) const {
  const auto starts = first_of_group_.span().subspan(static_cast<size_t>(first), static_cast<size_t>(length) + 1);
  auto offsets = memory::Buffer::allocate((length + 1) * static_cast<int64_t>(sizeof(int32_t)), budget_);
  for (size_t i = 0; i < starts.size(); ++i) offsets->mutable_as<int32_t>()[i] = starts[i] - starts.front();
  columns::FlatParts parts{type, types::PhysicalType::Array, length, 0, std::move(offsets), nullptr, {}, {}};
  parts.children.push_back(std::move(elements));
  return columns::Column::flat(std::move(parts));
}

ColumnPtr ListAccumulator::finish(int64_t first, int64_t length, std::vector<columns::RowError>&) const {
  const bool is_result = call_.overload->gives_list();
  const DataType& element = call_.argument_types.front();
  return lists_of(is_result ? call_.result_type : DataType::array(element, true), first, length,
                  values_ ? columns::gather(*values_, positions_of(first, length), budget_)
                          : columns::flatten(columns::Column::nulls(element, 0, budget_), budget_));
}

std::vector<ColumnPtr> ListAccumulator::states(int64_t first, int64_t length) const {
  const std::span<const int32_t> positions = positions_of(first, length);
  const DataType type(types::TypeId::Long);
  columns::FlatBuilder batches(type, type.physical(), static_cast<int64_t>(positions.size()), budget_);
  for (size_t i = 0; i < positions.size(); ++i) batches.values<int64_t>()[i] = batch_of(positions[i]);
  std::vector<columns::RowError> errors;
  std::vector<ColumnPtr> states = {ListAccumulator::finish(first, length, errors),
                                   lists_of(batches_type(), first, length, batches.finish())};
  for (size_t i = 0; i < call_.num_constants(); ++i) {
    const ColumnPtr constant = constants_.empty() ? columns::Column::nulls(call_.argument_types[i + 1], length, budget_)
                                                  : columns::Column::constant(constants_[i], length);
    states.push_back(columns::flatten(constant, budget_));
  }
  return states;
}

void ListAccumulator::merge_states(Arguments states, std::span<const int32_t> into) {
  const columns::Column& lists = *states[0];
  const columns::Column& elements = *lists.children()[0];
  const auto* batches = states[1]->children()[0]->values<int64_t>();
  const auto* offsets = lists.values<int32_t>();
  std::vector<StateValue> values;
  for (size_t i = 0; i < into.size(); ++i) {
    if (offsets[i] < offsets[i + 1]) note_constants(states.subspan(2), static_cast<int32_t>(i));
    for (int32_t at = offsets[i]; at < offsets[i + 1]; ++at) values.push_back({batches[at], at, into[i]});
  }
  std::ranges::stable_sort(values, {}, &StateValue::batch);
  for (size_t first = 0; first < values.size();) {
    const int64_t batch = values[first].batch;
    std::vector<int32_t> taken;
    std::vector<int32_t> groups;
    for (; first < values.size() && values[first].batch == batch; ++first) {
      taken.push_back(values[first].position);
      groups.push_back(values[first].group);
    }
    take(batch, elements, taken, groups);
  }
}

std::vector<DataType> list_state_types(const Call& call) {
  const bool is_result = call.overload->gives_list();
  std::vector<DataType> types = {is_result ? call.result_type : DataType::array(call.argument_types.front(), true),
                                 batches_type()};
  for (size_t i = 0; i < call.num_constants(); ++i) types.push_back(call.argument_types[i + 1]);
  return types;
}

}  // namespace accelerant::aggregates
