#include "operators/group_table.h"

#define XXH_INLINE_ALL
#include "base/error.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace accelerant::operators {

namespace {

constexpr size_t kFirstSlots = 64;

}  // namespace

GroupTable::GroupTable(std::shared_ptr<memory::Budget> budget)
    : budget_(budget), reservation_(std::move(budget), 0), slots_(kFirstSlots), keys_(1), hashes_(1) {
  charge();
}

uint64_t GroupTable::hash(std::string_view key) { return XXH3_64bits(key.data(), key.size()); }

int32_t GroupTable::find_or_insert(std::string_view key, uint64_t hash) {
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const int32_t group = slots_[slot];
    if (hash_of(group) == hash && this->key(group) == key) return group;
  }
  ACC_CHECK(keys_.size() < static_cast<size_t>(std::numeric_limits<int32_t>::max()));
  const auto group = static_cast<int32_t>(keys_.size());
  if (keys_.size() == keys_.capacity()) {
    keys_.reserve(keys_.size() * 2);
    hashes_.reserve(keys_.size() * 2);
    charge();
  }
  keys_.push_back(store(key));
  hashes_.push_back(hash);
  slots_[slot] = group;
  if (keys_.size() * 2 > slots_.size()) grow();
  return group;
}

std::string_view GroupTable::store(std::string_view key) {
  if (key.empty()) return {};
  const auto bytes = static_cast<int64_t>(key.size());
  if (chunks_.empty() || chunk_used_bytes_ + bytes > chunks_.back()->size_bytes()) {
    chunks_.push_back(memory::Buffer::allocate(std::max(kChunkBytes, bytes), budget_));
    chunk_used_bytes_ = 0;
  }
  char* to = chunks_.back()->mutable_as<char>() + chunk_used_bytes_;
  std::memcpy(to, key.data(), key.size());
  chunk_used_bytes_ += bytes;
  return {to, key.size()};
}

void GroupTable::grow() {
  std::vector<int32_t> slots(slots_.size() * 2);
  const size_t mask = slots.size() - 1;
  for (size_t group = 1; group < keys_.size(); ++group) {
    size_t slot = hashes_[group] & mask;
    while (slots[slot] != 0) slot = (slot + 1) & mask;
    slots[slot] = static_cast<int32_t>(group);
  }
  slots_.swap(slots);
  charge();
}

void GroupTable::charge() {
  reservation_.resize(static_cast<int64_t>(slots_.capacity() * sizeof(int32_t) +
                                           keys_.capacity() * (sizeof(std::string_view) + sizeof(uint64_t))));
}

void GroupTable::clear() { *this = GroupTable(budget_); }

}  // namespace accelerant::operators
