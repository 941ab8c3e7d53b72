#pragma once

#include "columns/column.h"
#include "execution/context.h"
#include "operators/sort_keys.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace accelerant::operators {

/// The words of a key's values among some rows, as key_words() emits them.
struct KeySpan {
  uint64_t least = std::numeric_limits<uint64_t>::max();
  uint64_t most = 0;  ///< less than `least`: there are no values
  bool has_nulls = false;
};

/// Spans of the first keys of a sort: as many as a word may have room for, whose words tell all of their values apart.
class KeySpans {
 public:
  /// Knows no rows.
  KeySpans() = default;
  /// @param columns flat
  /// @throws Error Cancelled
  KeySpans(const KeyOrder& order, std::span<const columns::ColumnPtr> columns, int64_t num_rows,
           const execution::Cancellation& cancellation);

  /// Includes those of other rows of the same sort.
  void add(const KeySpans& others);
  std::span<const KeySpan> of_keys() const { return of_keys_; }

 private:
  bool has_rows_ = false;
  std::vector<KeySpan> of_keys_;
};

/// The first keys of rows within known spans as one word a row: as few bits as the spans take for each. Words order
/// rows as these keys do, and are the same where these keys are.
class KeyPacking {
 public:
  static constexpr int kBitsOfWord = 64;

  /// Packs as many of the first keys as a word has room for; none where it has no room for the first.
  KeyPacking(const KeyOrder& order, const KeySpans& spans);

  size_t num_keys() const { return parts_.size(); }
  /// Sets the words of some rows.
  /// @param columns flat, of rows within the spans
  void pack(std::span<const columns::ColumnPtr> columns, std::span<KeyedRow> rows) const;
  /// Writes the words of rows [first_row, first_row + num_rows) to `words`.
  void pack(std::span<const columns::ColumnPtr> columns, int64_t first_row, int64_t num_rows, uint64_t* words) const;
  /// Returns what is the same in two words where so many first keys are, at most num_keys(), and orders these.
  uint64_t first_of(uint64_t packed, size_t num_keys) const {
    const int shift = num_keys == 0 ? kBitsOfWord : parts_[num_keys - 1].shift;
    return shift == kBitsOfWord ? 0 : packed >> shift;
  }
  /// Returns a key's word, as key_words() emits it.
  uint64_t word_of_key(uint64_t packed, size_t key) const;

 private:
  /// A key's bits: of a value how far its word is above the least, of null what comes before or behind all of these.
  struct Part {
    plan::SortKey key;
    uint64_t least;
    uint64_t code_of_least;
    bool has_nulls;
    uint64_t code_of_null;
    int num_bits;
    int shift = 0;
  };

  template <class RowOf, class Word>
  void pack_rows(std::span<const columns::ColumnPtr> columns, size_t num_rows, RowOf row_of, Word word) const;

  std::vector<Part> parts_;
};

}  // namespace accelerant::operators
