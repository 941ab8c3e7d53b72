#pragma once

#include "memory/budget.h"
#include "memory/buffer.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>
#include <vector>

namespace accelerant::operators {

/// Numbers distinct keys from 1 on (group 0 is nobody's). Open addressing over hashes; owns the keys' bytes. One worker
/// at a time.
class GroupTable {
 public:
  explicit GroupTable(std::shared_ptr<memory::Budget> budget);

  /// The hash that `find_or_insert` wants for a key.
  static uint64_t hash(std::string_view key);
  /// Returns the key's group, a new one if it was not there.
  int32_t find_or_insert(std::string_view key, uint64_t hash);

  /// One more than the largest group.
  int64_t num_groups() const { return static_cast<int64_t>(keys_.size()); }
  std::string_view key(int32_t group) const { return keys_[static_cast<size_t>(group)]; }
  uint64_t hash_of(int32_t group) const { return hashes_[static_cast<size_t>(group)]; }
  void clear();

 private:
  std::string_view store(std::string_view key);
  void grow();
  void charge();

  static constexpr int64_t kChunkBytes = 64 * 1024;

  std::shared_ptr<memory::Budget> budget_;
  memory::Reservation reservation_;
  std::vector<int32_t> slots_;  ///< 0: free, else a group
  std::vector<std::string_view> keys_;
  std::vector<uint64_t> hashes_;
  std::vector<std::shared_ptr<memory::Buffer>> chunks_;
  int64_t chunk_used_bytes_ = 0;
};

}  // namespace accelerant::operators
