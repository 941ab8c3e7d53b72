#pragma once

#include "memory/budget.h"
#include "memory/buffer.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace accelerant::operators {

/// Numbers distinct keys from 1 on (group 0 is nobody's). Open addressing over hashes; owns the keys' bytes. One worker
/// at a time.
class GroupTable {
 public:
  /// @param key_bytes bytes of every key; 0 if they differ
  explicit GroupTable(std::shared_ptr<memory::Budget> budget, int64_t key_bytes = 0);

  /// The hash that `find_or_insert` wants for a key.
  static uint64_t hash(std::string_view key);
  /// Returns the key's group, a new one if it was not there.
  int32_t find_or_insert(std::string_view key, uint64_t hash);

  /// How many calls ahead `prefetch` pays; `prefetch_key` half as many.
  static constexpr size_t kPrefetchAhead = 16;
  /// Fetches what `find_or_insert` looks at first, for a call to come.
  void prefetch(uint64_t hash) const { __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]); }
  /// Fetches the key that a call to come compares with, once what `prefetch` fetched is there.
  void prefetch_key(uint64_t hash) const {
    const uint64_t slot = slots_[hash & (slots_.size() - 1)];
    if (slot != 0 && key_bytes_ > 0) __builtin_prefetch(fixed_key(group_in(slot)));
  }

  /// One more than the largest group.
  int64_t num_groups() const { return static_cast<int64_t>(hashes_.size()); }
  std::string_view key(int32_t group) const {
    if (key_bytes_ > 0) return {fixed_key(group), static_cast<size_t>(key_bytes_)};
    return keys_[static_cast<size_t>(group)];
  }
  uint64_t hash_of(int32_t group) const { return hashes_[static_cast<size_t>(group)]; }
  void clear();
  /// Gives back what only `find_or_insert` needs, which is not called any more.
  void drop_index();
  /// Adds groups of another table, whose keys this one lacks, in this order; `find_or_insert` is not called any more.
  void append(const GroupTable& other, std::span<const int32_t> groups);

 private:
  /// A slot that is not free holds a group and, above it, the upper half of its hash.
  static int32_t group_in(uint64_t slot) { return static_cast<int32_t>(slot & 0xffffffff); }
  static uint64_t slot_of(int32_t group, uint64_t hash) {
    return (hash >> 32 << 32) | static_cast<uint64_t>(static_cast<uint32_t>(group));
  }

  const char* fixed_key(int32_t group) const {
    const auto place = static_cast<size_t>(group) - 1;
    return chunks_[place >> chunk_shift_]->as<char>() +
           (place & ((size_t{1} << chunk_shift_) - 1)) * static_cast<size_t>(key_bytes_);
  }
  bool has_key(int32_t group, std::string_view key) const;
  void add_key(std::string_view key);
  void grow();
  /// Reserves memory for so many slots, and hashes and keys of so many groups.
  void charge(size_t num_slots, size_t num_groups);

  /// The chunks that hold keys are at least about this large.
  static constexpr int64_t kChunkBytes = 64 * 1024;

  std::shared_ptr<memory::Budget> budget_;
  int64_t key_bytes_;
  int chunk_shift_ = 0;  ///< a chunk holds 2^chunk_shift_ keys of key_bytes_
  memory::Reservation reservation_;
  std::vector<uint64_t> slots_;         ///< 0: free
  std::vector<std::string_view> keys_;  ///< only where keys differ in length
  std::vector<uint64_t> hashes_;
  std::vector<std::shared_ptr<memory::Buffer>> chunks_;
  int64_t chunk_bytes_ = 0;       ///< of the last chunk
  int64_t chunk_used_bytes_ = 0;  ///< of the last chunk
};

}  // namespace accelerant::operators
