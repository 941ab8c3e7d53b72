#include "operators/distinct_accumulator.h"

#include "base/error.h"
#include "columns/gather.h"
#include "operators/distinct_lists.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace accelerant::operators {

using aggregates::Arguments;
using aggregates::GroupedRows;
using columns::ColumnPtr;
using types::DataType;

namespace {

const DataType kGroupType(types::TypeId::Int);
/// Where a key has its group: behind the null byte of the first column.
constexpr size_t kGroupAt = 1;

std::vector<DataType> key_types(const aggregates::Call& call) {
  std::vector<DataType> types{kGroupType};
  for (const DataType& type : call.argument_types) {
    if (!KeyEncoder::supports(type)) throw_unsupported("DISTINCT over " + type.to_string());
    types.push_back(type);
  }
  return types;
}

ColumnPtr group_column(const GroupedRows& rows, const std::shared_ptr<memory::Budget>& budget) {
  columns::FlatBuilder builder(kGroupType, types::PhysicalType::Int32, rows.num_rows, budget);
  for (int64_t row = 0; row < rows.num_rows; ++row) builder.values<int32_t>()[row] = rows.group_of(row);
  return builder.finish();
}

}  // namespace

DistinctAccumulator::DistinctAccumulator(const aggregates::Call& call, std::unique_ptr<Accumulator> inner,
                                         const execution::OperatorContext& ctx)
    : budget_(ctx.budget),
      batch_rows_(ctx.batch_rows),
      inner_(std::move(inner)),
      encoder_(key_types(call), ctx.budget),
      table_(ctx.budget, encoder_.key_bytes(), ctx.cancellation),
      last_of_group_(ctx.budget),
      before_(ctx.budget),
      new_groups_(ctx.budget) {
  before_.push_back(0);
}

void DistinctAccumulator::resize(int64_t num_groups) {
  last_of_group_.resize(num_groups, 0);
  inner_->resize(num_groups);
}

int32_t DistinctAccumulator::insert(std::string_view key, int32_t group) {
  const int32_t place = table_.find_or_insert(key, GroupTable::hash(key));
  if (place < before_.size()) return 0;
  before_.push_back(last_of_group_[group]);
  last_of_group_[group] = place;
  return place;
}

void DistinctAccumulator::update(const GroupedRows& rows, Arguments arguments) {
  std::vector<ColumnPtr> keys{group_column(rows, budget_)};
  keys.insert(keys.end(), arguments.begin(), arguments.end());
  encoder_.encode(keys, rows.num_rows);
  new_groups_.resize(rows.num_rows, 0);
  for (int64_t row = 0; row < rows.num_rows; ++row) {
    const int32_t group = rows.group_of(row);
    if (group != 0 && insert(encoder_.key(row), group) != 0) new_groups_[row] = group;
  }
  inner_->update({new_groups_.data(), rows.num_rows, rows.num_groups, rows.batch}, arguments);
  new_groups_.clear();
}

void DistinctAccumulator::merge(const Accumulator& other, std::span<const int32_t> from,
                                std::span<const int32_t> into) {
  const auto& others = static_cast<const DistinctAccumulator&>(other);
  std::string key;
  std::vector<std::string_view> keys;
  std::vector<int32_t> groups;
  for (size_t i = 0; i < from.size(); ++i) {
    for (int32_t at = others.last_of_group_[from[i]]; at != 0; at = others.before_[at]) {
      key = others.table_.key(at);
      std::memcpy(key.data() + kGroupAt, &into[i], sizeof into[i]);
      const int32_t place = insert(key, into[i]);
      if (place == 0) continue;
      keys.push_back(table_.key(place));
      groups.push_back(into[i]);
      if (static_cast<int64_t>(keys.size()) == batch_rows_) update_inner(keys, groups);
    }
  }
  update_inner(keys, groups);
}

std::vector<ColumnPtr> DistinctAccumulator::states(int64_t first, int64_t length) const {
  std::vector<std::string_view> keys;
  std::vector<int32_t> ends;
  for (int64_t group = first; group < first + length; ++group) {
    for (int32_t at = last_of_group_[group]; at != 0; at = before_[at]) keys.push_back(table_.key(at));
    ends.push_back(static_cast<int32_t>(keys.size()));
  }
  std::vector<ColumnPtr> states;
  const std::vector<ColumnPtr> columns = encoder_.decode(keys);
  for (const ColumnPtr& argument : std::span(columns).subspan(1)) {
    states.push_back(distinct_lists(argument, ends, budget_));
  }
  return states;
}

void DistinctAccumulator::merge_states(Arguments states, std::span<const int32_t> into) {
  const auto* offsets = states.front()->values<int32_t>();
  const int64_t num_rows = states.front()->children()[0]->length();
  memory::Array<int32_t> groups(budget_);
  groups.resize(num_rows, 0);
  for (size_t i = 0; i < into.size(); ++i) {
    std::fill(groups.begin() + offsets[i], groups.begin() + offsets[i + 1], into[i]);
  }
  std::vector<ColumnPtr> arguments;
  for (const ColumnPtr& state : states) arguments.push_back(columns::flatten(state->children()[0], budget_));
  update({groups.data(), num_rows, last_of_group_.size()}, arguments);
}

void DistinctAccumulator::update_inner(std::vector<std::string_view>& keys, std::vector<int32_t>& groups) {
  const std::vector<ColumnPtr> columns = encoder_.decode(keys);
  const auto num_rows = static_cast<int64_t>(keys.size());
  inner_->update({groups.data(), num_rows, last_of_group_.size()}, Arguments(columns).subspan(1));
  keys.clear();
  groups.clear();
}

}  // namespace accelerant::operators
