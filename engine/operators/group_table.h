#pragma once

#include "base/prefetch.h"
#include "memory/array.h"
#include "memory/budget.h"
#include "memory/buffer.h"
#include "operators/key_bytes.h"

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
  /// Returns the key's group, a new one if it was not there. May be called again where it, or any other method, threw
  /// MemoryWait.
  int32_t find_or_insert(std::string_view key, uint64_t hash);
  /// Keeps the keys of a table that `append` made for `find_or_insert_shared`.
  void share_keys(const GroupTable& other);
  /// Returns the group of such a key, a new one if it was not there; does not copy keys that differ in length.
  int32_t find_or_insert_shared(std::string_view key, uint64_t hash);

  /// How many calls ahead `prefetch`, `prefetch_key` and `prefetch_key_bytes` pay, which build on one another.
  static constexpr size_t kPrefetchAhead = 24;
  static constexpr size_t kPrefetchKeyAhead = 16;
  static constexpr size_t kPrefetchKeyBytesAhead = 8;
  /// Fetches what `find_or_insert` looks at first, for a call to come.
  void prefetch(uint64_t hash) const { prefetch_line(&slot_at(hash)); }
  /// Fetches the key that a call to come compares with, or where it lies, once what `prefetch` fetched is there.
  void prefetch_key(uint64_t hash) const {
    const uint64_t slot = slot_at(hash);
    if (!may_hold(slot, hash)) return;
    const int32_t group = group_in(slot);
    if (key_bytes_ > 0) {
      prefetch_line(fixed_key(group));
    } else {
      prefetch_line(&keys_[group]);
    }
  }
  /// Fetches a key whose place `prefetch_key` fetched.
  void prefetch_key_bytes(uint64_t hash) const {
    const uint64_t slot = slot_at(hash);
    if (key_bytes_ == 0 && may_hold(slot, hash)) prefetch_line(keys_[group_in(slot)].data());
  }

  /// One more than the largest group.
  int64_t num_groups() const { return hashes_.size(); }
  std::string_view key(int32_t group) const {
    if (key_bytes_ > 0) return {fixed_key(group), static_cast<size_t>(key_bytes_)};
    return keys_[group];
  }
  uint64_t hash_of(int32_t group) const { return hashes_[group]; }
  void clear();
  /// Makes room for so many groups, where that is more than there is.
  void reserve(int64_t num_groups);
  /// Gives back what only `find_or_insert` needs, which is not called any more.
  void drop_index();
  /// Fills an empty table with groups of another one, in this order; `find_or_insert` is not called any more.
  /// Keys that differ in length are shared with the other table.
  void append(const GroupTable& other, std::span<const int32_t> groups);

 private:
  /// A slot that is not free holds a group and, above it, the upper half of its hash.
  static int32_t group_in(uint64_t slot) { return static_cast<int32_t>(slot & 0xffffffff); }
  static uint64_t slot_of(int32_t group, uint64_t hash) {
    return (hash >> 32 << 32) | static_cast<uint64_t>(static_cast<uint32_t>(group));
  }

  /// Returns the slot at which the search for a hash begins.
  const uint64_t& slot_at(uint64_t hash) const {
    return slots_[static_cast<int64_t>(hash & static_cast<uint64_t>(slots_.size() - 1))];
  }
  /// Says whether a slot may have a key of this hash.
  static bool may_hold(uint64_t slot, uint64_t hash) { return slot != 0 && (slot ^ hash) >> 32 == 0; }

  const char* fixed_key(int32_t group) const {
    const auto place = static_cast<size_t>(group) - 1;
    return chunks_[place >> chunk_shift_]->as<char>() +
           (place & ((size_t{1} << chunk_shift_) - 1)) * static_cast<size_t>(key_bytes_);
  }
  static uint64_t hash_long_key(std::string_view key);
  bool has_key(int32_t group, std::string_view key) const;
  /// Returns the slot of a key, or the free one for it.
  int64_t find(std::string_view key, uint64_t hash) const;
  /// Makes room for one more group; says whether slots have moved.
  bool make_room();
  /// Returns the free slot for a hash, of these.
  static int64_t find_free(const memory::Array<uint64_t>& slots, uint64_t hash);
  /// Makes a group, but for its key, for a free slot.
  int32_t add_group(int64_t slot, uint64_t hash);
  void add_key(std::string_view key);
  void add_chunk(int64_t bytes);
  void set_num_slots(int64_t num_slots);
  void check_cancelled() const;

  /// The chunks that hold keys are at least about this large.
  static constexpr int64_t kChunkBytes = 64 * 1024;
  /// Groups or slots between two looks at the cancellation.
  static constexpr int64_t kMovedAtOnce = 64 * 1024;

  std::shared_ptr<memory::Budget> budget_;
  int64_t key_bytes_;
  const execution::Cancellation* cancellation_;
  int chunk_shift_ = 0;                   ///< a chunk holds 2^chunk_shift_ keys of key_bytes_
  memory::Array<uint64_t> slots_;         ///< 0: free
  memory::Array<std::string_view> keys_;  ///< only where keys differ in length
  memory::Array<uint64_t> hashes_;
  using Chunks = std::vector<std::shared_ptr<memory::Buffer>>;
  Chunks chunks_;
  std::vector<std::shared_ptr<const Chunks>> shared_chunks_;  ///< of other tables
  int64_t chunk_bytes_ = 0;                                   ///< of the last chunk
  int64_t chunk_used_bytes_ = 0;                              ///< of the last chunk
};

}  // namespace accelerant::operators
