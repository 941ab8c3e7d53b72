#pragma once

#include "base/mix_bits.h"
#include "columns/batch.h"
#include "operators/group_keys.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

namespace accelerant::operators {

/// The least and the greatest of packed keys.
struct KeyBounds {
  uint64_t least = std::numeric_limits<uint64_t>::max();
  uint64_t greatest = 0;

  bool is_empty() const { return greatest < least; }
  void add(const KeyBounds& other) {
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
  }
};

/// The keys of one side's rows in a form to be hashed and compared: 64-bit numbers where all keys of a row fit into
/// one, else bytes. Both sides of a join agree, as their keys have the same types.
class JoinKeys {
 public:
  explicit JoinKeys(std::vector<types::DataType> types);

  /// Encodes all rows of key columns. Replaces what was encoded before.
  void encode(const std::vector<columns::ColumnPtr>& keys, int64_t num_rows,
              const std::shared_ptr<memory::Budget>& budget);
  int64_t num_rows() const { return num_rows_; }

  /// Says whether one of the row's keys is null: it equals no other row then.
  bool is_null(int64_t row) const { return !nulls_.empty() && nulls_[static_cast<size_t>(row)]; }
  uint64_t hash(int64_t row) const {
    return is_packed_ ? mix_bits(packed_[static_cast<size_t>(row)]) : hashes_[static_cast<size_t>(row)];
  }
  bool is_packed() const { return is_packed_; }
  uint64_t packed(int64_t row) const { return packed_[static_cast<size_t>(row)]; }
  /// Returns the bounds of packed keys that are not null.
  KeyBounds bounds() const;
  std::string_view bytes(int64_t row) const { return encoder_.key(row); }

  int64_t memory_bytes() const;

 private:
  void pack(const columns::Column& key, int shift);
  void note_nulls(const columns::Column& key);
  void hash_bytes();

  const std::vector<types::DataType> types_;
  const bool is_packed_;
  KeyEncoder encoder_;
  int64_t num_rows_ = 0;
  std::vector<uint64_t> packed_;
  std::vector<uint64_t> hashes_;  ///< of bytes
  std::vector<uint8_t> nulls_;    ///< empty: no nulls
};

}  // namespace accelerant::operators
