#pragma once

#include "columns/column.h"
#include "plan/sort.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace accelerant::operators {

/// Orders rows as Spark does: integers and decimals by value, strings by unsigned bytes; floats with NaN greatest and
/// equal to itself, and -0.0 equal to 0.0; nested values as column_functions::compare_values does.
class KeyOrder {
 public:
  using Columns = std::span<const columns::ColumnPtr>;

  explicit KeyOrder(std::vector<plan::SortKey> keys) : keys_(std::move(keys)) {}

  const std::vector<plan::SortKey>& keys() const { return keys_; }
  /// Compares two rows by the keys from `first_key` to the one before `end_key`: negative, 0, positive. The columns are
  /// flat; a decimal's may be of different widths.
  int compare(Columns lhs, int64_t lhs_row, Columns rhs, int64_t rhs_row, size_t first_key, size_t end_key) const;
  /// Compares two rows by all keys from `first_key` on.
  int compare(Columns lhs, int64_t lhs_row, Columns rhs, int64_t rhs_row, size_t first_key = 0) const {
    return compare(lhs, lhs_row, rhs, rhs_row, first_key, keys_.size());
  }
  /// Counts the first keys that rows from `first_row` on have the same as the rows before them, of row 0 none: up to
  /// the first that is not the same.
  /// @param columns flat, as far as keys are among them
  void count_equal(Columns columns, int64_t first_row, std::span<int32_t> counts) const;
  /// Compares two rows by one key.
  int compare_key(size_t key, Columns lhs, int64_t lhs_row, Columns rhs, int64_t rhs_row) const;

 private:
  const std::vector<plan::SortKey> keys_;
};

/// A row and a word of its key, by which it is ordered.
struct KeyedRow {
  uint64_t word;
  int32_t row;
  int32_t batch;  ///< the caller's
};

/// Returns a word for each row that orders rows by one key as KeyOrder does, as far as 64 bits tell them apart: rows of
/// different keys may have the same word. Of longer texts these are the bytes from 7 * `depth` on: they order texts
/// whose words before are equal.
/// @param column flat
std::vector<uint64_t> key_words(const columns::Column& column, const plan::SortKey& key, size_t depth = 0);

/// Sets the words of some rows, likewise.
void set_key_words(const columns::Column& column, const plan::SortKey& key, size_t depth, std::span<KeyedRow> rows);

/// Writes the words of some rows at depth 0, likewise, to `words`.
void write_key_words(const columns::Column& column, const plan::SortKey& key, std::span<const int32_t> rows,
                     uint64_t* words);

/// Writes the words of all rows at depth 0, likewise, to `words`.
void write_key_words(const columns::Column& column, const plan::SortKey& key, uint64_t* words);

/// What is known of rows with the same word of a key.
enum class SameWord {
  Equal,    ///< their keys are equal
  GoOn,     ///< their texts go on: the next word tells
  Unknown,  ///< nulls and decimals beyond 64 bits share the least and the greatest word
};

SameWord same_word(const types::DataType& type, const plan::SortKey& key, uint64_t word);

}  // namespace accelerant::operators
