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

/// The least and the greatest of keys of one word.
struct KeyBounds {
  uint64_t least = std::numeric_limits<uint64_t>::max();
  uint64_t greatest = 0;

  bool is_empty() const { return greatest < least; }
  void add(const KeyBounds& other) {
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
  }
};

/// The keys of one side's rows in a form to be hashed and compared: one or two 64-bit words a row where its keys fit
/// into these, else bytes. Both sides of a join agree, as their keys have the same types. Where a call throws
/// MemoryWait, it may be called again.
class JoinKeys {
 public:
  JoinKeys(std::vector<types::DataType> types, std::shared_ptr<memory::Budget> budget);

  /// Encodes all rows of key columns. Replaces what was encoded before.
  void encode(const std::vector<columns::ColumnPtr>& keys, int64_t num_rows);
  /// Gives back what only `encode` needs.
  void drop_cursors() { encoder_.drop_cursors(); }
  int64_t num_rows() const { return num_rows_; }

  /// Says whether one of the row's keys is null: it equals no other row then.
  bool is_null(int64_t row) const { return !nulls_.empty() && nulls_[row]; }
  uint64_t hash(int64_t row) const {
    if (num_words_ == 1) return mix_bits(words(row)[0]);
    return num_words_ == 2 ? mix_bits(mix_bits(words(row)[1]) + words(row)[0]) : hashes_[row];
  }
  /// Words a row; 0: keys are bytes.
  int num_words() const { return num_words_; }
  const uint64_t* words(int64_t row) const { return words_.data() + row * num_words_; }
  /// Returns the bounds of keys that are not null; of one word.
  KeyBounds bounds() const;
  std::string_view bytes(int64_t row) const { return encoder_.key(row); }

 private:
  /// Where a key is: in which word, and how many bits up.
  struct Place {
    int word;
    int shift;
  };

  void choose_places();
  void pack(const columns::Column& key, Place place);
  void note_nulls(const columns::Column& key);
  void hash_bytes();

  const std::vector<types::DataType> types_;
  const std::shared_ptr<memory::Budget> budget_;
  std::vector<Place> places_;  ///< by key
  int num_words_ = 0;
  KeyEncoder encoder_;
  int64_t num_rows_ = 0;
  memory::Array<uint64_t> words_;
  memory::Array<uint64_t> hashes_;  ///< of bytes
  memory::Array<uint8_t> nulls_;    ///< empty: no nulls
};

}  // namespace accelerant::operators
