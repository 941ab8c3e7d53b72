#include "operators/group_table.h"

#define XXH_INLINE_ALL
#include "base/error.h"
#include "execution/context.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

namespace accelerant::operators {

namespace {

constexpr int64_t kFirstSlots = 64;

}  // namespace

GroupTable::KeySlot GroupTable::KeySlot::of(std::string_view key) {
  const char* bytes = key.data();
  const size_t num_bytes = key.size();
  constexpr size_t kWord = sizeof(uint64_t);
  constexpr size_t kHalf = sizeof(uint32_t);
  KeySlot slot{0, 0, 0};
  if (num_bytes >= kWord) {
    slot.first = read_word<uint64_t>(bytes);
    if (num_bytes == kWord) return slot;
    slot.rest = static_cast<uint32_t>(read_word<uint64_t>(bytes + num_bytes - kWord) >> (8 * (2 * kWord - num_bytes)));
  } else if (num_bytes >= kHalf) {
    const size_t last = num_bytes - kHalf;
    slot.first = read_word<uint32_t>(bytes) | uint64_t{read_word<uint32_t>(bytes + last)} << (8 * last);
  } else {
    for (size_t i = 0; i < num_bytes; ++i) slot.first |= uint64_t{static_cast<uint8_t>(bytes[i])} << (8 * i);
  }
  return slot;
}

uint64_t GroupTable::KeySlot::hash(int64_t key_bytes) const {
  std::array<char, kMaxSlotKeyBytes> bytes;
  std::memcpy(bytes.data(), &first, sizeof first);
  std::memcpy(bytes.data() + sizeof first, &rest, sizeof rest);
  return hash_short_key(bytes.data(), static_cast<size_t>(key_bytes));
}

GroupTable::GroupTable(std::shared_ptr<memory::Budget> budget, int64_t key_bytes,
                       const execution::Cancellation* cancellation)
    : budget_(std::move(budget)),
      key_bytes_(key_bytes),
      cancellation_(nullptr),  // to make an empty one is never too much
      key_slots_(budget_),
      slots_(budget_),
      keys_(budget_),
      hashes_(budget_) {
  while (key_bytes_ > 0 && (key_bytes_ << (chunk_shift_ + 1)) <= kChunkBytes) ++chunk_shift_;
  set_num_slots(kFirstSlots);
  cancellation_ = cancellation;
  hashes_.resize(1);
  if (key_bytes_ == 0) keys_.resize(1);
}

uint64_t GroupTable::hash_long_key(std::string_view key) { return XXH3_64bits(key.data(), key.size()); }

bool GroupTable::has_key(int32_t group, std::string_view key) const {
  const std::string_view own = this->key(group);
  return own.size() == key.size() && equal_keys(own.data(), key.data(), key.size());
}

int32_t GroupTable::find_or_insert(std::string_view key, uint64_t hash) {
  return find_or_add(key, hash, [&] { add_key(key); });
}

int32_t GroupTable::find_or_insert_shared(std::string_view key, uint64_t hash) {
  if (key_bytes_ > 0) return find_or_insert(key, hash);
  return find_or_add(key, hash, [&] { keys_.push_back(key); });
}

template <class Add>
int32_t GroupTable::find_or_add(std::string_view key, uint64_t hash, const Add& add) {
  if (has_key_slots()) {
    const KeySlot wanted = KeySlot::of(key);
    return find_or_add(
        key_slots_, wanted, hash, [&](const KeySlot& slot) { return slot.has_key_of(wanted); }, add);
  }
  return find_or_add(
      slots_, Slot{0, static_cast<uint32_t>(hash)}, hash,
      [&](const Slot& slot) { return slot.may_have(hash) && has_key(slot.group, key); }, add);
}

template <class OfSlot, class IsWanted, class Add>
int32_t GroupTable::find_or_add(SlotArray<OfSlot>& slots, OfSlot slot, uint64_t hash, const IsWanted& is_wanted,
                                const Add& add) {
  int64_t place = slots.find(hash, is_wanted);
  if (slots[place].group != 0) return slots[place].group;
  make_room();
  if (!are_enough(slots.size(), num_groups_ + 1)) {
    set_num_slots(slots.size() * 2);
    place = slots.find_free(hash);
  }
  add();
  if (keeps_hashes()) hashes_.push_back(hash);
  slot.group = static_cast<int32_t>(num_groups_++);
  slots[place] = slot;
  return slot.group;
}

void GroupTable::share_keys(const GroupTable& other) {
  shared_chunks_.insert(shared_chunks_.end(), other.shared_chunks_.begin(), other.shared_chunks_.end());
}

void GroupTable::make_room() {
  ACC_CHECK(num_groups_ < std::numeric_limits<int32_t>::max());
  if (keeps_hashes() && hashes_.size() == hashes_.capacity()) hashes_.reserve(hashes_.size() * 2);
  if (key_bytes_ == 0 && keys_.size() == keys_.capacity()) keys_.reserve(keys_.size() * 2);
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
  const auto check = [this] {
    if (cancellation_) cancellation_->check();
  };
  if (has_key_slots()) {
    key_slots_.resize(
        num_slots, [this](const KeySlot& slot) { return slot.hash(key_bytes_); }, check);
  } else {
    slots_.resize(
        num_slots, [](const Slot& slot) { return uint64_t{slot.hash}; }, check);
  }
}

void GroupTable::reserve(int64_t num_groups) {
  const int64_t wanted = num_groups + 1;
  int64_t num_slots = has_key_slots() ? key_slots_.size() : slots_.size();
  ACC_CHECK(num_slots > 0);
  if (!are_enough(num_slots, wanted)) {
    while (!are_enough(num_slots, wanted)) num_slots *= 2;
    set_num_slots(num_slots);
  }
  if (key_bytes_ == 0) keys_.reserve(wanted);
  if (keeps_hashes()) hashes_.reserve(wanted);
}

void GroupTable::expect_new_keys() {
  ACC_DCHECK(num_groups() == 1);
  drop_index();
  expects_new_keys_ = true;
  set_num_slots(kFirstSlots);
}

void GroupTable::append(const GroupTable& other, std::span<const int32_t> groups) {
  ACC_DCHECK(num_groups() == 1);
  drop_index();
  const auto num_groups = static_cast<int64_t>(1 + groups.size());
  if (keeps_hashes()) {
    hashes_.reserve(num_groups);
    for (const int32_t group : groups) hashes_.push_back(other.hash_of(group));
  }
  if (key_bytes_ > 0) {
    const size_t keys_of_chunk = size_t{1} << chunk_shift_;
    for (size_t i = 0; i < groups.size(); ++i) {
      if (i % keys_of_chunk == 0)
        add_chunk(key_bytes_ * static_cast<int64_t>(std::min(keys_of_chunk, groups.size() - i)));
      add_key(other.key(groups[i]));
    }
    num_groups_ = num_groups;
    return;
  }
  keys_.reserve(num_groups);
  for (const int32_t group : groups) keys_.push_back(other.key(group));
  shared_chunks_.push_back(std::make_shared<const Chunks>(other.chunks_));
  num_groups_ = num_groups;
}

void GroupTable::drop_index() {
  key_slots_.drop();
  slots_.drop();
}

void GroupTable::clear() { *this = GroupTable(budget_, key_bytes_, cancellation_); }

}  // namespace accelerant::operators
