#include "operators/group_table.h"

#define XXH_INLINE_ALL
#include "base/error.h"
#include "execution/context.h"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace accelerant::operators {

namespace {

constexpr int64_t kFirstSlots = 64;

}  // namespace

GroupTable::GroupTable(std::shared_ptr<memory::Budget> budget, int64_t key_bytes,
                       const execution::Cancellation* cancellation)
    : budget_(std::move(budget)),
      key_bytes_(key_bytes),
      cancellation_(cancellation),
      slots_(budget_),
      keys_(budget_),
      hashes_(budget_) {
  while (key_bytes_ > 0 && (key_bytes_ << (chunk_shift_ + 1)) <= kChunkBytes) ++chunk_shift_;
  slots_.resize(kFirstSlots);
  hashes_.resize(1);
  if (key_bytes_ == 0) keys_.resize(1);
}

uint64_t GroupTable::hash_long_key(std::string_view key) { return XXH3_64bits(key.data(), key.size()); }

bool GroupTable::has_key(int32_t group, std::string_view key) const {
  const std::string_view own = this->key(group);
  return own.size() == key.size() && equal_keys(own.data(), key.data(), key.size());
}

int64_t GroupTable::find(std::string_view key, uint64_t hash) const {
  const int64_t mask = slots_.size() - 1;
  int64_t at = static_cast<int64_t>(hash) & mask;
  while (slots_[at] != 0 && !(may_hold(slots_[at], hash) && has_key(group_in(slots_[at]), key))) at = (at + 1) & mask;
  return at;
}

int32_t GroupTable::find_or_insert(std::string_view key, uint64_t hash) {
  const int64_t slot = find(key, hash);
  if (slots_[slot] != 0) return group_in(slots_[slot]);
  const bool is_moved = make_room();
  add_key(key);
  return add_group(is_moved ? find_free(slots_, hash) : slot, hash);
}

int32_t GroupTable::find_or_insert_shared(std::string_view key, uint64_t hash) {
  if (key_bytes_ > 0) return find_or_insert(key, hash);
  const int64_t slot = find(key, hash);
  if (slots_[slot] != 0) return group_in(slots_[slot]);
  const bool is_moved = make_room();
  keys_.push_back(key);
  return add_group(is_moved ? find_free(slots_, hash) : slot, hash);
}

void GroupTable::share_keys(const GroupTable& other) {
  shared_chunks_.insert(shared_chunks_.end(), other.shared_chunks_.begin(), other.shared_chunks_.end());
}

bool GroupTable::make_room() {
  ACC_CHECK(hashes_.size() < std::numeric_limits<int32_t>::max());
  if (hashes_.size() == hashes_.capacity()) hashes_.reserve(hashes_.size() * 2);
  if (key_bytes_ == 0 && keys_.size() == keys_.capacity()) keys_.reserve(keys_.size() * 2);
  if ((hashes_.size() + 1) * 2 <= slots_.size()) return false;
  set_num_slots(slots_.size() * 2);
  return true;
}

int64_t GroupTable::find_free(const memory::Array<uint64_t>& slots, uint64_t hash) {
  const int64_t mask = slots.size() - 1;
  int64_t at = static_cast<int64_t>(hash) & mask;
  while (slots[at] != 0) at = (at + 1) & mask;
  return at;
}

int32_t GroupTable::add_group(int64_t slot, uint64_t hash) {
  const auto group = static_cast<int32_t>(hashes_.size());
  hashes_.push_back(hash);
  slots_[slot] = slot_of(group, hash);
  return group;
}

void GroupTable::add_key(std::string_view key) {
  if (key.empty()) {
    keys_.push_back({});
    return;
  }
  const bool fixed = key_bytes_ > 0;
  const auto bytes = static_cast<int64_t>(key.size());
  ACC_DCHECK(!fixed || bytes == key_bytes_);
  if (chunk_used_bytes_ + bytes > chunk_bytes_) {
    add_chunk(fixed ? key_bytes_ << chunk_shift_ : std::max(kChunkBytes, bytes));
  }
  char* to = chunks_.back()->mutable_as<char>() + chunk_used_bytes_;
  copy_key(to, key.data(), key.size());
  chunk_used_bytes_ += bytes;
  if (!fixed) keys_.push_back({to, key.size()});
}

void GroupTable::add_chunk(int64_t bytes) {
  chunks_.push_back(memory::Buffer::allocate(bytes, budget_));
  chunk_bytes_ = bytes;
  chunk_used_bytes_ = 0;
}

void GroupTable::set_num_slots(int64_t num_slots) {
  memory::Array<uint64_t> slots(budget_);
  slots.reserve(num_slots);
  while (slots.size() < num_slots) {
    check_cancelled();
    slots.append(std::min(kMovedAtOnce, num_slots - slots.size()), 0);
  }
  for (int64_t group = 1; group < hashes_.size(); ++group) {
    if (group % kMovedAtOnce == 0) check_cancelled();
    slots[find_free(slots, hashes_[group])] = slot_of(static_cast<int32_t>(group), hashes_[group]);
  }
  slots_ = std::move(slots);
}

void GroupTable::check_cancelled() const {
  if (cancellation_) cancellation_->check();
}

void GroupTable::reserve(int64_t num_groups) {
  const int64_t num_hashes = num_groups + 1;
  const auto num_slots = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(num_hashes) * 2));
  if (num_slots > slots_.size()) set_num_slots(num_slots);
  if (key_bytes_ == 0) keys_.reserve(num_hashes);
  hashes_.reserve(num_hashes);
}

void GroupTable::append(const GroupTable& other, std::span<const int32_t> groups) {
  ACC_DCHECK(num_groups() == 1);
  slots_ = memory::Array<uint64_t>(budget_);
  const auto num_groups = static_cast<int64_t>(1 + groups.size());
  hashes_.reserve(num_groups);
  for (const int32_t group : groups) hashes_.push_back(other.hash_of(group));
  if (key_bytes_ > 0) {
    const size_t keys_of_chunk = size_t{1} << chunk_shift_;
    for (size_t i = 0; i < groups.size(); ++i) {
      if (i % keys_of_chunk == 0)
        add_chunk(key_bytes_ * static_cast<int64_t>(std::min(keys_of_chunk, groups.size() - i)));
      add_key(other.key(groups[i]));
    }
    return;
  }
  keys_.reserve(num_groups);
  for (const int32_t group : groups) keys_.push_back(other.key(group));
  shared_chunks_.push_back(std::make_shared<const Chunks>(other.chunks_));
}

void GroupTable::drop_index() { slots_ = memory::Array<uint64_t>(budget_); }

void GroupTable::clear() { *this = GroupTable(budget_, key_bytes_, cancellation_); }

}  // namespace accelerant::operators
