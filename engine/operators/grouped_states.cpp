#include "operators/grouped_states.h"

#include "base/error.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string_view>
#include <utility>

namespace accelerant::operators {

using columns::Batch;

namespace {

/// Groups are arranged by the highest bits of their hashes; a slice is the least that is merged by itself.
constexpr int kSliceBits = 8;
constexpr int kSlices = 1 << kSliceBits;
constexpr int kSlicesOfPartition = kSlices / GroupedStates::kPartitions;
/// Groups that a table had best have while sets are merged.
constexpr int64_t kMergedGroups = 32 * 1024;
/// One hash in so many is kept to tell how many different ones there are.
constexpr int64_t kSampling = 256;
/// The groups of all sets may be so many times the different ones; then the workers' tables grow instead.
constexpr int64_t kMostRepeated = 2;

int slice_of(uint64_t hash) { return static_cast<int>(hash >> (64 - kSliceBits)); }
bool is_sampled(uint64_t hash) { return (hash >> 40) % kSampling == 0; }

/// Groups, and the memory that their numbers take.
struct Places {
  Places(int32_t length, const std::shared_ptr<memory::Budget>& budget)
      : memory(budget, length * static_cast<int64_t>(sizeof(int32_t))), groups(static_cast<size_t>(length)) {}

  static Places from_on(int32_t first, int32_t length, const std::shared_ptr<memory::Budget>& budget) {
    Places places(length, budget);
    std::iota(places.groups.begin(), places.groups.end(), first);
    return places;
  }

  memory::Reservation memory;
  std::vector<int32_t> groups;
};

}  // namespace

GroupSet::GroupSet(const plan::Aggregate& node, int64_t key_bytes, const execution::OperatorContext& ctx)
    : table(ctx.budget, key_bytes), states(ctx.budget, 0) {
  for (const auto& call : node.calls) accumulators.push_back(make_accumulator(call, ctx));
}

void GroupSet::resize() {
  for (auto& accumulator : accumulators) accumulator->resize(table.num_groups());
  charge();
}

void GroupSet::charge() {
  int64_t bytes = 0;
  for (const auto& accumulator : accumulators) bytes += accumulator->memory_bytes();
  states.resize(bytes);
}

/// A set whose groups stand in the order of their slices, so that they are read one after the other when it is merged.
struct GroupedStates::Part {
  GroupSet set;
  std::array<int32_t, kSlices + 1> slice_starts{};  ///< counted from 0

  int64_t num_groups() const { return set.table.num_groups() - 1; }
  int32_t num_groups_in(int first_slice, int last_slice) const {
    return slice_starts[static_cast<size_t>(last_slice)] - slice_starts[static_cast<size_t>(first_slice)];
  }
};

GroupedStates::GroupedStates(std::shared_ptr<const plan::Aggregate> node, const execution::OperatorContext& ctx)
    : node_(std::move(node)), ctx_(ctx), encoder_(node_->key_types()) {}

GroupedStates::~GroupedStates() = default;

void GroupedStates::add(const GroupSet& set) {
  const bool is_large = set.table.num_groups() > kMaxOwnGroups;
  Part part = arranged(set);
  std::lock_guard lock(mutex_);
  num_groups_ += part.num_groups();
  if (is_large) note_samples(part);
  parts_.push_back(std::move(part));
}

GroupedStates::Part GroupedStates::arranged(const GroupSet& set) const {
  const auto end = static_cast<int32_t>(set.table.num_groups());
  Part part{GroupSet(*node_, encoder_.key_bytes(), ctx_)};
  auto& starts = part.slice_starts;
  for (int32_t group = 1; group < end; ++group) ++starts[static_cast<size_t>(slice_of(set.table.hash_of(group))) + 1];
  for (size_t slice = 0; slice < kSlices; ++slice) starts[slice + 1] += starts[slice];
  Places from(end - 1, ctx_.budget);
  auto next = starts;
  for (int32_t group = 1; group < end; ++group) {
    from.groups[static_cast<size_t>(next[static_cast<size_t>(slice_of(set.table.hash_of(group)))]++)] = group;
  }
  part.set.table.append(set.table, from.groups);
  const Places into = Places::from_on(1, end - 1, ctx_.budget);
  for (size_t i = 0; i < set.accumulators.size(); ++i) {
    auto& accumulator = part.set.accumulators[i];
    if (auto rearranged = set.accumulators[i]->rearranged(from.groups)) {
      accumulator = std::move(rearranged);
      continue;
    }
    accumulator->resize(end);
    accumulator->merge(*set.accumulators[i], from.groups, into.groups);
  }
  part.set.charge();
  return part;
}

/// Finds out how many different groups there are among all that came.
void GroupedStates::note_samples(const Part& part) {
  const GroupTable& table = part.set.table;
  for (int32_t group = 1; group < table.num_groups(); ++group) {
    if (is_sampled(table.hash_of(group))) sampled_.insert(table.hash_of(group));
  }
  const int64_t num_distinct = static_cast<int64_t>(sampled_.size()) * kSampling;
  if (num_groups_ > kMostRepeated * num_distinct) wants_small_sets_.store(false, std::memory_order_relaxed);
}

void GroupedStates::finish() {
  const auto tables = std::bit_ceil(static_cast<uint64_t>(num_groups_ / (kPartitions * kMergedGroups) + 1));
  sets_per_partition_ = static_cast<int>(std::min<uint64_t>(tables, kSlicesOfPartition));
}

std::span<const GroupSet> GroupedStates::partition(int index) {
  Partition& partition = partitions_[static_cast<size_t>(index)];
  std::lock_guard lock(partition.mutex);
  if (!partition.is_merged) {
    partition.sets.clear();
    merge(index, partition.sets);
    partition.is_merged = true;
    if (num_unmerged_.fetch_sub(1, std::memory_order_acq_rel) == 1) std::vector<Part>().swap(parts_);
  }
  return partition.sets;
}

void GroupedStates::merge(int index, std::vector<GroupSet>& sets) const {
  const int width = kSlicesOfPartition / sets_per_partition_;
  for (int i = 0; i < sets_per_partition_; ++i) {
    GroupSet& set = sets.emplace_back(*node_, encoder_.key_bytes(), ctx_);
    const int first = index * kSlicesOfPartition + i * width;
    int64_t num_groups = 0;
    for (const Part& part : parts_)
      num_groups = std::max<int64_t>(num_groups, part.num_groups_in(first, first + width));
    set.table.reserve(num_groups);
    for (const Part& part : parts_) merge_part(part, first, first + width, set);
    // Without keys there is one group, even if no row came.
    const uint64_t hash = GroupTable::hash({});
    if (node_->keys.empty() && slice_of(hash) >= first && slice_of(hash) < first + width) {
      set.table.find_or_insert({}, hash);
    }
    set.resize();
    for (auto& accumulator : set.accumulators) accumulator->seal();
    set.charge();
    set.table.drop_index();
  }
}

void GroupedStates::merge_part(const Part& part, int first_slice, int last_slice, GroupSet& into) const {
  const int32_t first = part.slice_starts[static_cast<size_t>(first_slice)];
  const int32_t length = part.num_groups_in(first_slice, last_slice);
  if (length == 0) return;
  ctx_.cancellation->check();
  const GroupTable& table = part.set.table;
  const Places from = Places::from_on(first + 1, length, ctx_.budget);
  Places to(length, ctx_.budget);
  into.table.share_keys(table);
  for (int32_t i = 0; i < length; ++i) {
    constexpr auto kAhead = static_cast<int32_t>(GroupTable::kPrefetchAhead);
    constexpr auto kKeyAhead = static_cast<int32_t>(GroupTable::kPrefetchKeyAhead);
    constexpr auto kBytesAhead = static_cast<int32_t>(GroupTable::kPrefetchKeyBytesAhead);
    const int32_t group = first + 1 + i;
    if (i + kAhead < length) into.table.prefetch(table.hash_of(group + kAhead));
    if (i + kKeyAhead < length) into.table.prefetch_key(table.hash_of(group + kKeyAhead));
    if (i + kBytesAhead < length) {
      into.table.prefetch_key_bytes(table.hash_of(group + kBytesAhead));
      __builtin_prefetch(table.key(group + kBytesAhead).data());
    }
    to.groups[static_cast<size_t>(i)] = into.table.find_or_insert_shared(table.key(group), table.hash_of(group));
  }
  into.resize();
  for (size_t i = 0; i < into.accumulators.size(); ++i) {
    into.accumulators[i]->merge(*part.set.accumulators[i], from.groups, to.groups);
  }
  into.charge();
}

Batch GroupedStates::read(const GroupSet& set, int64_t first, int64_t length) const {
  std::vector<std::string_view> keys;
  for (int64_t i = 0; i < length; ++i) keys.push_back(set.table.key(static_cast<int32_t>(first + i + 1)));
  Batch batch;
  batch.num_rows = length;
  batch.columns = encoder_.decode(keys, ctx_.budget);
  for (const auto& accumulator : set.accumulators) {
    batch.columns.push_back(accumulator->finish(first + 1, length, batch.errors));
  }
  std::stable_sort(batch.errors.begin(), batch.errors.end(),
                   [](const auto& a, const auto& b) { return a.row < b.row; });
  return batch;
}

}  // namespace accelerant::operators
