#include "operators/grouped_states.h"

#include "aggregates/held_rows.h"
#include "base/error.h"
#include "base/prefetch.h"
#include "memory/array.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>

namespace accelerant::operators {

namespace {

/// Groups that a table had best have while sets are merged.
constexpr int64_t kMergedGroups = 32 * 1024;
/// One hash in so many is kept to tell how many different ones there are.
constexpr int64_t kSampling = 256;
/// The groups of all sets may be so many times the different ones; then the workers' tables grow instead.
constexpr int64_t kMostRepeated = 2;

bool is_sampled(uint64_t hash) { return (hash >> 40) % kSampling == 0; }

using Numbers = memory::Array<int32_t>;

/// Returns `length` numbers, or room for them.
Numbers numbers_from(int32_t first, int32_t length, const std::shared_ptr<memory::Budget>& budget) {
  Numbers numbers(budget);
  numbers.reserve(length);
  numbers.resize(length);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

/// Finds groups [first, first + length) of a table that came in another one, and adds those that are new there.
Numbers find_groups(const GroupTable& table, int32_t first, int32_t length, GroupTable& into,
                    const std::shared_ptr<memory::Budget>& budget) {
  Numbers found = numbers_from(0, length, budget);
  if (length > 0) into.share_keys(table);
  const auto group_at = [first](int64_t i) { return first + static_cast<int32_t>(i); };
  into.fetch_ahead(
      length,
      [&](int64_t i) {
        prefetch_line(table.key(group_at(i)).data());
        return table.hash_of(group_at(i));
      },
      [&](int64_t i, uint64_t hash) { found[i] = into.find_or_insert_shared(table.key(group_at(i)), hash); });
  return found;
}

}  // namespace

GroupedStates::GroupedStates(std::shared_ptr<const plan::Aggregate> node, const execution::OperatorContext& ctx)
    : node_(std::move(node)), ctx_(ctx), encoder_(node_->key_types(), ctx.budget) {}

std::unique_ptr<GroupedStates::Part> GroupedStates::make_part(const GroupSet& set, const SlicedGroups& sliced,
                                                              int first, int last,
                                                              const execution::OperatorContext& ctx) const {
  const int first_slice = first * GroupSlices::kOfPartition;
  const int last_slice = last * GroupSlices::kOfPartition;
  const std::span<const int32_t> groups = sliced.of(first_slice, last_slice);
  if (groups.empty()) return nullptr;
  ctx.cancellation->check();
  auto part = std::make_unique<Part>(set.chosen(groups, *node_, ctx, true));
  for (int slice = first_slice; slice <= GroupSlices::kCount; ++slice) {
    part->slice_starts[static_cast<size_t>(slice)] = sliced.count(first_slice, std::min(slice, last_slice));
  }
  if (set.num_groups() <= GroupOrder::kMostGroups) {
    for (const int32_t group : groups) part->places.push_back(set.places.of(group));
  }
  return part;
}

// A part takes some time to make, however few groups it has. States that hold values of rows are let go bit by bit.
ArrangedGroups GroupedStates::arrange(const GroupSet& set, const execution::OperatorContext& ctx) {
  const SlicedGroups sliced(set, ctx.budget);
  const bool is_one = set.num_groups() <= GroupOrder::kMostGroups && !holds_rows(*node_);
  const int width = is_one ? kPartitions : 1;
  ArrangedGroups arranged;
  for (int first = 0; first < kPartitions; first += width) {
    if (auto part = make_part(set, sliced, first, first + width, ctx)) arranged.parts.push_back(std::move(part));
  }
  const std::lock_guard lock(mutex_);
  num_groups_ += set.num_groups();
  num_rows_ += set.num_rows;
  has_order_ &= set.has_order;
  largest_set_ = std::max<int64_t>(largest_set_, set.num_groups());
  if (set.num_groups() >= kMaxOwnGroups) note_samples(set.table);
  return arranged;
}

void GroupedStates::bring(std::vector<ArrangedGroups> arranged, std::shared_ptr<memory::PrepaidMemory> memory) {
  for (ArrangedGroups& groups : arranged) std::ranges::move(groups.parts, std::back_inserter(parts_));
  memory_.push_back(std::move(memory));
}

// All tables are made before the first part goes.
void GroupedStates::take_over(GroupedStates& others,
                              const std::function<GroupTable(const GroupTable& table)>& all_keys) {
  std::vector<GroupTable> tables;
  for (const auto& part : others.parts_) tables.push_back(all_keys(part->set.table));
  for (size_t i = 0; i < tables.size(); ++i) {
    GroupSet& set = others.parts_[i]->set;
    set.key_bytes = encoder_.key_bytes();
    set.table = std::move(tables[i]);
  }
  std::ranges::move(std::exchange(others.parts_, {}), std::back_inserter(parts_));
  memory_.insert(memory_.end(), others.memory_.begin(), others.memory_.end());
  others.memory_.clear();
  num_groups_ += others.num_groups_;
  num_rows_ = std::max(num_rows_, others.num_rows_);
  has_order_ &= others.has_order_;
  largest_set_ += others.largest_set_;
}

/// Finds out how many different groups there are among all that came.
void GroupedStates::note_samples(const GroupTable& table) {
  for (int32_t group = 1; group < table.num_groups(); ++group) {
    if (is_sampled(table.hash_of(group))) sampled_.insert(table.hash_of(group));
  }
  const int64_t num_distinct = static_cast<int64_t>(sampled_.size()) * kSampling;
  if (num_groups_ > kMostRepeated * num_distinct) wants_small_sets_.store(false, std::memory_order_relaxed);
}

void GroupedStates::finish() {
  const auto tables = std::bit_ceil(static_cast<uint64_t>(num_groups_ / (kPartitions * kMergedGroups) + 1));
  sets_per_partition_ = static_cast<int>(std::min<uint64_t>(tables, GroupSlices::kOfPartition));
}

bool GroupedStates::are_few() const {
  return num_groups_ <= GroupOrder::kMostGroups && (!holds_rows(*node_) || num_rows_ <= kMostHeldRows);
}

void GroupedStates::prepare(bool reads_all) {
  if (is_prepared_.load(std::memory_order_acquire)) return;
  // It may wait for memory, and be called again: TSan has a std::call_once that threw hang.
  const std::lock_guard lock(prepare_mutex_);
  if (is_prepared_.load(std::memory_order_relaxed)) return;
  if (reads_all) find_order();
  if (!order_) deal_parts();
  is_prepared_.store(true, std::memory_order_release);
}

void GroupedStates::find_order() {
  if (node_->keys.empty() || largest_set_ > GroupOrder::kMostGroups) return;
  if (holds_rows(*node_) && num_rows_ > kMostHeldRows) return;
  auto order = std::make_unique<GroupOrder>(*node_, ctx_);
  for (const auto& part : parts_) part->numbers = order->add(part->set.table, part->places);
  if (order->arrange()) order_ = std::move(order);
}

void GroupedStates::deal_parts() {
  for (const auto& part : parts_) {
    for (int i = 0; i < kPartitions; ++i) {
      const int first = i * GroupSlices::kOfPartition;
      if (part->num_groups_in(first, first + GroupSlices::kOfPartition) == 0) continue;
      partitions_[static_cast<size_t>(i)].parts.push_back(part);
    }
  }
  parts_.clear();
}

std::span<const GroupSet> GroupedStates::partition(int index) {
  Partition& partition = partitions_[static_cast<size_t>(index)];
  const std::lock_guard lock(partition.mutex);
  if (partition.is_merged) return partition.sets;
  partition.sets.clear();
  if (!order_) {
    merge(index, partition);
    partition.parts = {};
    shrink_memory();
  } else if (index == 0) {
    partition.sets.push_back(merge_in_order());
    parts_ = {};
    shrink_memory();
  }
  partition.is_merged = true;
  return partition.sets;
}

// Without keys there is one group, even if no row came.
void GroupedStates::merge(int index, Partition& partition) const {
  const uint64_t hash = GroupTable::hash({});
  const int only = node_->keys.empty() ? GroupSlices::slice_of(hash) - index * GroupSlices::kOfPartition : -1;
  const int width = GroupSlices::kOfPartition / sets_per_partition_;
  for (int first = 0; first < GroupSlices::kOfPartition; first += width) {
    const bool has_only = only >= first && only < first + width;
    if (partition.parts.empty() && !has_only) continue;
    GroupSet& set = partition.sets.emplace_back(*node_, encoder_.key_bytes(), ctx_);
    merge_slices(partition, index * GroupSlices::kOfPartition + first, width, set);
    if (has_only) set.table.find_or_insert({}, hash);
    seal(set);
  }
}

columns::Batch GroupedStates::no_groups() const {
  GroupSet none(*node_, encoder_.key_bytes(), ctx_);
  seal(none);
  return read_groups(none, 0, 0, encoder_);
}

/// By all rows, as which of them are in a set may be otherwise in another run.
void GroupedStates::seal(GroupSet& set) const {
  if (!has_order_ || num_rows_ > aggregates::HeldRows::kMostRows) set.forget_order();
  set.seal();
}

GroupSet GroupedStates::merge_in_order() const {
  GroupSet set(*node_, encoder_.key_bytes(), ctx_);
  set.table.append(order_->table(), order_->numbers());
  set.resize();
  for (const auto& part : parts_) {
    ctx_.cancellation->check();
    const auto num_groups = static_cast<int32_t>(part->numbers.size());
    const Numbers from = numbers_from(1, num_groups, ctx_.budget);
    Numbers into = numbers_from(0, num_groups, ctx_.budget);
    for (int32_t i = 0; i < num_groups; ++i) into[i] = order_->rank_of(part->numbers[static_cast<size_t>(i)]) + 1;
    for (size_t i = 0; i < set.accumulators.size(); ++i) {
      set.accumulators[i]->merge(*part->set.accumulators[i], from.span(), into.span());
    }
  }
  seal(set);
  return set;
}

void GroupedStates::shrink_memory() const {
  for (const auto& memory : memory_) memory->shrink();
}

// All groups are found before the first state is merged, so that there is room for as many states as there are groups.
void GroupedStates::merge_slices(const Partition& from, int first_slice, int count, GroupSet& into) const {
  const int last_slice = first_slice + count;
  int64_t most_groups = 0;
  int64_t all_groups = 0;
  for (const auto& part : from.parts) {
    const int64_t num_groups = part->num_groups_in(first_slice, last_slice);
    most_groups = std::max(most_groups, num_groups);
    all_groups += num_groups;
  }
  into.table.reserve(wants_small_sets() ? all_groups : most_groups);
  const auto first_of = [&](const Part& part) { return part.slice_starts[static_cast<size_t>(first_slice)] + 1; };
  std::vector<Numbers> numbers;
  for (const auto& part : from.parts) {
    ctx_.cancellation->check();
    numbers.push_back(find_groups(part->set.table, first_of(*part), part->num_groups_in(first_slice, last_slice),
                                  into.table, ctx_.budget));
  }
  into.resize();
  for (size_t k = 0; k < numbers.size(); ++k) {
    const auto num_groups = static_cast<int32_t>(numbers[k].size());
    if (num_groups == 0) continue;
    ctx_.cancellation->check();
    const Part& part = *from.parts[k];
    const Numbers groups = numbers_from(first_of(part), num_groups, ctx_.budget);
    for (size_t i = 0; i < into.accumulators.size(); ++i) {
      into.accumulators[i]->merge(*part.set.accumulators[i], groups.span(), numbers[k].span());
    }
  }
}

}  // namespace accelerant::operators
