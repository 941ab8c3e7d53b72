#include "operators/list_accumulator.h"

#include "base/error.h"
#include "columns/gather.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace accelerant::operators {

using columns::ColumnPtr;

ListAccumulator::ListAccumulator(const plan::AggregateCall& call, const execution::OperatorContext& ctx)
    : call_(call), budget_(ctx.budget), plan_node_(ctx.plan_node) {}

void ListAccumulator::update(const GroupedRows& rows, Arguments arguments) {
  const Arguments needed = call_.ignores_nulls ? arguments : arguments.subspan(1);
  Chunk chunk{rows.batch, nullptr, {}};
  std::vector<int32_t> taken;
  for_each_value(rows, needed, [&](int32_t group, int64_t row) {
    if (group == 0) return;
    taken.push_back(static_cast<int32_t>(row));
    chunk.groups.push_back(group);
  });
  if (taken.empty()) return;
  chunk.values = columns::copy_compact(*columns::gather(*arguments.front(), taken, budget_), budget_);
  num_chunk_values_ += static_cast<int64_t>(taken.size());
  chunks_.push_back(std::move(chunk));
}

void ListAccumulator::merge(const Accumulator& other, std::span<const int32_t> from, std::span<const int32_t> into) {
  const auto& others = static_cast<const ListAccumulator&>(other);
  std::vector<int32_t> new_group(static_cast<size_t>(others.num_groups_), 0);
  for (size_t i = 0; i < from.size(); ++i) new_group[static_cast<size_t>(from[i])] = into[i];
  std::vector<int32_t> groups;
  for (const Chunk& chunk : others.chunks_) {
    groups.clear();
    for (const int32_t group : chunk.groups) groups.push_back(new_group[static_cast<size_t>(group)]);
    update({groups.data(), static_cast<int64_t>(groups.size()), num_groups_, chunk.batch}, {&chunk.values, 1});
  }
}

void ListAccumulator::seal() {
  if (num_chunk_values_ > std::numeric_limits<int32_t>::max()) {
    throw Error(ErrorKind::Resource, "collected lists hold at most 2,147,483,647 values").at_plan_node(plan_node_);
  }
  std::stable_sort(chunks_.begin(), chunks_.end(), [](const Chunk& a, const Chunk& b) { return a.batch < b.batch; });
  std::vector<ColumnPtr> parts;
  for (const Chunk& chunk : chunks_) parts.push_back(chunk.values);
  if (!parts.empty()) values_ = columns::concatenate(parts, budget_);
  order_by_group(num_chunk_values_);
  chunks_.clear();
}

void ListAccumulator::order_by_group(int64_t num_values) {
  first_of_group_.assign(static_cast<size_t>(num_groups_) + 1, 0);
  for (const Chunk& chunk : chunks_) {
    for (const int32_t group : chunk.groups) ++first_of_group_[static_cast<size_t>(group) + 1];
  }
  for (size_t group = 1; group < first_of_group_.size(); ++group) first_of_group_[group] += first_of_group_[group - 1];
  order_.resize(static_cast<size_t>(num_values));
  std::vector<int32_t> next = first_of_group_;
  int32_t position = 0;
  for (const Chunk& chunk : chunks_) {
    for (const int32_t group : chunk.groups) {
      order_[static_cast<size_t>(next[static_cast<size_t>(group)]++)] = position++;
    }
  }
}

ColumnPtr ListAccumulator::finish(int64_t first, int64_t length, std::vector<columns::RowError>&) const {
  const auto starts = std::span(first_of_group_).subspan(static_cast<size_t>(first), static_cast<size_t>(length) + 1);
  auto offsets = memory::Buffer::allocate((length + 1) * static_cast<int64_t>(sizeof(int32_t)), budget_);
  for (size_t i = 0; i < starts.size(); ++i) offsets->mutable_as<int32_t>()[i] = starts[i] - starts.front();
  const auto positions = std::span(order_).subspan(static_cast<size_t>(starts.front()),
                                                   static_cast<size_t>(starts.back() - starts.front()));
  const types::DataType element = call_.result_type.fields().front().type;
  columns::FlatParts parts{
      call_.result_type, types::PhysicalType::Array, length, 0, std::move(offsets), nullptr, {}, {}};
  parts.children.push_back(values_ ? columns::gather(*values_, positions, budget_)
                                   : columns::flatten(columns::Column::nulls(element, 0, budget_), budget_));
  return columns::Column::flat(std::move(parts));
}

int64_t ListAccumulator::memory_bytes() const {
  size_t bytes = (order_.capacity() + first_of_group_.capacity()) * sizeof(int32_t);
  bytes += static_cast<size_t>(num_chunk_values_) * sizeof(int32_t) + chunks_.capacity() * sizeof(Chunk);
  return static_cast<int64_t>(bytes);
}

}  // namespace accelerant::operators
