#pragma once

#include "base/prefetch.h"
#include "memory/array.h"
#include "memory/budget.h"
#include "memory/buffer.h"
#include "operators/key_bytes.h"
#include "operators/slot_array.h"

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace accelerant::execution {
class Cancellation;
}

namespace accelerant::operators {

/// Numbers distinct keys from 1 on (group 0 is nobody's). Open addressing over hashes; owns the keys' bytes. One worker
/// at a time.
class GroupTable {
 public:
  /// @param key_bytes bytes of every key; 0 if they differ
  /// @param cancellation looked at while much is moved; nullptr: none
  explicit GroupTable(std::shared_ptr<memory::Budget> budget, int64_t key_bytes = 0,
                      const execution::Cancellation* cancellation = nullptr);

  /// The hash that `find_or_insert` wants for a key.
  static uint64_t hash(std::string_view key) {
    constexpr size_t kMaxShortBytes = 16;
    return key.size() <= kMaxShortBytes ? hash_short_key(key.data(), key.size()) : hash_long_key(key);
  }
  /// Returns the key's group, a new one if it was not there. May be called again where it, or `reserve`, threw
  /// MemoryWait.
  int32_t find_or_insert(std::string_view key, uint64_t hash);
  /// Keeps the keys of a table that `append` made for `find_or_insert_shared`.
  void share_keys(const GroupTable& other);
  /// Returns the group of such a key, a new one if it was not there; does not copy keys that differ in length.
  int32_t find_or_insert_shared(std::string_view key, uint64_t hash);

  /// Calls `find(i, hash)` for each of so many keys in turn, which has `find_or_insert`, or the other one, find it:
  /// what these look at is fetched while they are at keys before.
  /// @param hash_at returns the hash of a key
  template <class HashAt, class Find>
  void fetch_ahead(int64_t num_keys, const HashAt& hash_at, const Find& find) const {
    std::array<uint64_t, std::bit_ceil(uint64_t{kFetchAhead} + 1)> hashes;  // of the keys that are fetched
    const auto hash_of_key = [&](int64_t key) -> uint64_t& { return hashes[static_cast<size_t>(key) % hashes.size()]; };
    const auto is_key = [&](int64_t key) { return 0 <= key && key < num_keys; };
    const bool fetches_keys = !has_key_slots() && !expects_new_keys_;
    for (int64_t next = 0; next < num_keys + kFetchAhead; ++next) {
      if (next < num_keys) fetch_slot(hash_of_key(next) = hash_at(next));
      const int64_t for_key = next - (kFetchAhead - kFetchKeyAhead);
      if (fetches_keys && is_key(for_key)) fetch_key(hash_of_key(for_key));
      const int64_t for_bytes = next - (kFetchAhead - kFetchKeyBytesAhead);
      if (fetches_keys && key_bytes_ == 0 && is_key(for_bytes)) fetch_key_bytes(hash_of_key(for_bytes));
      const int64_t key = next - kFetchAhead;
      if (key >= 0) find(key, hash_of_key(key));
    }
  }

  /// One more than the largest group.
  int64_t num_groups() const { return num_groups_; }
  std::string_view key(int32_t group) const {
    if (key_bytes_ > 0) return {fixed_key(group), static_cast<size_t>(key_bytes_)};
    return keys_[group];
  }
  uint64_t hash_of(int32_t group) const { return keeps_hashes() ? hashes_[group] : hash(key(group)); }
  /// Makes it as the constructor did.
  void clear();
  /// Makes an empty table smaller, which will look up few keys that it has: to compare these takes more time.
  void expect_new_keys();
  /// Makes room for so many groups, where that is more than there is.
  void reserve(int64_t num_groups);
  /// Gives back what only `find_or_insert` needs, which is not called any more.
  void drop_index();
  /// Fills an empty table with groups of another one, in this order; `find_or_insert` is not called any more.
  /// Keys that differ in length are shared with the other table.
  void append(const GroupTable& other, std::span<const int32_t> groups);

 private:
  /// Where a key's group stands.
  struct Slot {
    /// Says whether it may have a key of this hash.
    bool may_have(uint64_t hash_of_key) const { return group != 0 && hash == static_cast<uint32_t>(hash_of_key); }

    int32_t group;  ///< 0: free
    uint32_t hash;  ///< its lower half
  };
  /// Where a short key and its group stand: to compare keys, nothing else is looked at.
  struct KeySlot {
    static KeySlot of(std::string_view key);
    bool has_key_of(const KeySlot& other) const { return ((first ^ other.first) | (rest ^ other.rest)) == 0; }
    uint64_t hash(int64_t key_bytes) const;

    uint64_t first;  ///< bytes of the key, with zeros behind the last one
    uint32_t rest;
    int32_t group;  ///< 0: free
  };
  static constexpr int64_t kMaxSlotKeyBytes = sizeof(KeySlot::first) + sizeof(KeySlot::rest);

  bool has_short_keys() const { return 0 < key_bytes_ && key_bytes_ <= kMaxSlotKeyBytes; }
  /// Says whether its slots are `key_slots_`.
  bool has_key_slots() const { return has_short_keys() && !expects_new_keys_; }
  /// Says whether hashes are kept, which are made of keys else.
  bool keeps_hashes() const { return !has_short_keys() || !expects_new_keys_; }

  const char* fixed_key(int32_t group) const {
    const auto place = static_cast<size_t>(group) - 1;
    return chunks_[place >> chunk_shift_]->as<char>() +
           (place & ((size_t{1} << chunk_shift_) - 1)) * static_cast<size_t>(key_bytes_);
  }
  static uint64_t hash_long_key(std::string_view key);
  void fetch_slot(uint64_t hash) const {
    if (has_key_slots()) {
      key_slots_.prefetch(hash);
    } else {
      slots_.prefetch(hash);
    }
  }
  /// Fetches the key that one of a hash is compared with, or where it lies, once its slot is there.
  void fetch_key(uint64_t hash) const {
    const Slot slot = slots_.first(hash);
    if (!slot.may_have(hash)) return;
    if (key_bytes_ > 0) {
      prefetch_line(fixed_key(slot.group));
    } else {
      prefetch_line(&keys_[slot.group]);
    }
  }
  /// Fetches such a key, once it is known where it lies.
  void fetch_key_bytes(uint64_t hash) const {
    const Slot slot = slots_.first(hash);
    if (slot.may_have(hash)) prefetch_line(keys_[slot.group].data());
  }
  bool has_key(int32_t group, std::string_view key) const;
  /// Returns the group of a key; makes one, whose key `add` appends to the keys, if it was not there.
  template <class Add>
  int32_t find_or_add(std::string_view key, uint64_t hash, const Add& add);
  template <class OfSlot, class IsWanted, class Add>
  int32_t find_or_add(SlotArray<OfSlot>& slots, OfSlot slot, uint64_t hash, const IsWanted& is_wanted, const Add& add);
  /// Makes room for one more group, but for its slot.
  void make_room();
  /// Says whether so many groups have room in so many slots.
  static bool are_enough(int64_t num_slots, int64_t num_groups) { return num_groups * 2 <= num_slots; }
  void add_key(std::string_view key);
  void add_chunk(int64_t bytes);
  void set_num_slots(int64_t num_slots);

  /// How many keys ahead slots, keys and, where they differ in length, their bytes are fetched.
  static constexpr int64_t kFetchAhead = 24;
  static constexpr int64_t kFetchKeyAhead = 16;
  static constexpr int64_t kFetchKeyBytesAhead = 8;
  /// The chunks that hold keys are at least about this large.
  static constexpr int64_t kChunkBytes = 64 * 1024;

  std::shared_ptr<memory::Budget> budget_;
  int64_t key_bytes_;
  const execution::Cancellation* cancellation_;
  int chunk_shift_ = 0;  ///< a chunk holds 2^chunk_shift_ keys of key_bytes_
  bool expects_new_keys_ = false;
  int64_t num_groups_ = 1;
  SlotArray<KeySlot> key_slots_;          ///< of short keys
  SlotArray<Slot> slots_;                 ///< of others
  memory::Array<std::string_view> keys_;  ///< only where keys differ in length
  memory::Array<uint64_t> hashes_;
  using Chunks = std::vector<std::shared_ptr<memory::Buffer>>;
  Chunks chunks_;
  std::vector<std::shared_ptr<const Chunks>> shared_chunks_;  ///< of other tables
  int64_t chunk_bytes_ = 0;                                   ///< of the last chunk
  int64_t chunk_used_bytes_ = 0;                              ///< of the last chunk
};

}  // namespace accelerant::operators
