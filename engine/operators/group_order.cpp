#include "operators/group_order.h"

#include "columns/gather.h"
#include "expressions/evaluator.h"
#include "operators/sort_keys.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace accelerant::operators {

using columns::ColumnPtr;

void GroupPlaces::note(int64_t num_groups, const columns::Batch& batch, std::span<const int32_t> rows,
                       int64_t num_projections) {
  const int64_t place = place_of(batch.morsel, batch.sequence / num_projections);
  if (place != batch_) first_new_ = num_noted_;
  batch_ = place;
  if (num_groups > num_noted_) {
    const int64_t partition = batch.has_order() ? partition_of(batch) : batch.morsel;
    starts_.push_back({partition, place, 0, static_cast<int32_t>(num_noted_)});
    num_noted_ = num_groups;
  }
  if (num_projections > 1 && num_noted_ > first_new_ && first_new_ <= GroupOrder::kMostGroups)
    note_rows(rows, num_projections, batch.sequence % num_projections);
}

void GroupPlaces::note_rows(std::span<const int32_t> rows, int64_t num_projections, int64_t projection) {
  first_rows_.resize(static_cast<size_t>(num_noted_), std::numeric_limits<int64_t>::max());
  for (size_t row = 0; row < rows.size(); ++row) {
    if (rows[row] < first_new_) continue;
    int64_t& first = first_rows_[static_cast<size_t>(rows[row])];
    first = std::min(first, static_cast<int64_t>(row) * num_projections + projection);
  }
}

GroupPlace GroupPlaces::of(int32_t group) const {
  const auto after = std::ranges::upper_bound(starts_, group, {}, &GroupPlace::number);
  if (after == starts_.begin()) return {-1, -1, 0, group};
  const auto number = static_cast<size_t>(group);
  const int64_t row = number < first_rows_.size() ? first_rows_[number] : 0;
  return {std::prev(after)->partition, std::prev(after)->batch, row, group};
}

GroupOrder::GroupOrder(const plan::Aggregate& node, const execution::OperatorContext& ctx)
    : node_(node),
      ctx_(ctx),
      is_spread_(node.is_spread()),
      encoder_(node.key_types(), ctx.budget),
      table_(ctx.budget, encoder_.key_bytes(), ctx.cancellation),
      places_(1) {}

std::vector<int32_t> GroupOrder::add(const GroupTable& groups, std::span<const GroupPlace> places) {
  std::vector<int32_t> numbers;
  numbers.reserve(places.size());
  if (!places.empty()) table_.share_keys(groups);
  for (size_t i = 0; i < places.size(); ++i) {
    const auto group = static_cast<int32_t>(i + 1);
    const int32_t number = table_.find_or_insert_shared(groups.key(group), groups.hash_of(group));
    numbers.push_back(number);
    if (static_cast<size_t>(number) == places_.size()) {
      places_.push_back(places[i]);
    } else {
      GroupPlace& place = places_[static_cast<size_t>(number)];
      place = std::min(place, places[i]);
    }
  }
  return numbers;
}

std::vector<int32_t> GroupOrder::partitions(const std::vector<ColumnPtr>& keys) const {
  const auto num_groups = static_cast<size_t>(table_.num_groups() - 1);
  std::vector<int32_t> found(num_groups, 0);
  if (!is_spread_) return found;
  columns::Batch batch;
  batch.num_rows = static_cast<int64_t>(num_groups);
  batch.columns = keys;
  expressions::Evaluator evaluator(node_.key_hash, ctx_.budget, ctx_.plan_node);
  const ColumnPtr hashes = columns::flatten(evaluator.project(batch).columns.front(), ctx_.budget);
  for (size_t i = 0; i < num_groups; ++i) {
    const int32_t remainder = hashes->values<int32_t>()[i] % node_.num_partitions;
    found[i] = remainder < 0 ? remainder + node_.num_partitions : remainder;
  }
  return found;
}

void GroupOrder::sort() {
  std::vector<std::string_view> texts;
  for (int32_t number = 1; number < table_.num_groups(); ++number) texts.push_back(table_.key(number));
  const std::vector<ColumnPtr> keys = encoder_.decode(texts);
  const std::vector<int32_t> partitions = this->partitions(keys);
  std::vector<plan::SortKey> sorted_by;
  for (size_t i = 0; node_.spark_sorts && i < keys.size(); ++i) sorted_by.push_back({.column = static_cast<int>(i)});
  const KeyOrder by_keys(std::move(sorted_by));
  const auto partition_of = [&](int32_t number) { return partitions[static_cast<size_t>(number) - 1]; };
  const auto has_null = [&](int32_t number) {
    return std::ranges::any_of(keys, [&](const ColumnPtr& key) { return key->is_null(number - 1); });
  };
  ordered_.resize(texts.size());
  std::iota(ordered_.begin(), ordered_.end(), 1);
  std::ranges::sort(ordered_, [&](int32_t lhs, int32_t rhs) {
    if (node_.spark_sorts) {
      const auto partition = [&](int32_t number) { return node_.reads_together ? 0 : partition_of(number); };
      if (partition(lhs) != partition(rhs)) return partition(lhs) < partition(rhs);
      return by_keys.compare(keys, lhs - 1, keys, rhs - 1) < 0;
    }
    const auto place = [&](int32_t number) {
      const GroupPlace& first = places_[static_cast<size_t>(number)];
      const int64_t read_by = node_.reads_together ? 0 : partition_of(number);
      const bool is_read_last = node_.calls.empty() && has_null(number);
      return std::tuple(read_by, is_read_last, first.partition, partition_of(number), has_null(number), first);
    };
    return place(lhs) < place(rhs);
  });
}

bool GroupOrder::arrange() {
  if (table_.num_groups() - 1 > kMostGroups) return false;
  sort();
  ranks_.resize(places_.size());
  for (size_t rank = 0; rank < ordered_.size(); ++rank) {
    ranks_[static_cast<size_t>(ordered_[rank])] = static_cast<int32_t>(rank);
  }
  return true;
}

}  // namespace accelerant::operators
