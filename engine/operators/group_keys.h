#pragma once

#include "columns/column.h"
#include "memory/array.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace accelerant::operators {

/// Writes the key columns of a row as bytes such that keys are equal exactly when their bytes are: a null byte, then
/// the value (fixed width, zeros for null; strings with their length; decimals at the type's width, whatever the
/// batch's; one NaN, one zero; nested values as their bytes, see nested_keys.h). Where a call throws MemoryWait, it may
/// be called again.
class KeyEncoder {
 public:
  KeyEncoder(std::vector<types::DataType> key_types, std::shared_ptr<memory::Budget> budget);

  /// Encodes rows [0, num_rows) of flat columns. Replaces what was encoded before.
  void encode(std::span<const columns::ColumnPtr> keys, int64_t num_rows);
  std::string_view key(int64_t row) const {
    return {bytes_.data() + offsets_[row], static_cast<size_t>(offsets_[row + 1] - offsets_[row])};
  }
  /// Gives back what only `encode` needs.
  void drop_cursors() { cursors_ = memory::Array<int64_t>(budget_); }

  /// Reads keys back: `keys[i]` gives row i of the columns.
  std::vector<columns::ColumnPtr> decode(std::span<const std::string_view> keys) const;
  /// Bytes of every key; 0 if they differ from key to key.
  int64_t key_bytes() const { return has_strings_ ? 0 : fixed_bytes_; }
  /// Says whether keys of this type can be encoded.
  static bool supports(const types::DataType& type);
  /// Reads a value that is not nested at each cursor, and moves it past that.
  static columns::ColumnPtr read_values(const types::DataType& type, std::span<const char*> cursors,
                                        const std::shared_ptr<memory::Budget>& budget);

 private:
  void place_rows(std::span<const columns::ColumnPtr> keys, int64_t num_rows);
  void write_column(const columns::Column& column, const types::DataType& type);
  template <class Stored, class T>
  void write_values(const columns::Column& column);
  void write_strings(const columns::Column& column);

  std::vector<types::DataType> types_;
  std::shared_ptr<memory::Budget> budget_;
  int64_t fixed_bytes_ = 0;  ///< of a key, but for what its strings hold
  bool has_strings_ = false;
  memory::Array<int64_t> offsets_;
  memory::Array<int64_t> cursors_;  ///< where the next column of each row goes
  memory::Array<char> bytes_;
};

}  // namespace accelerant::operators
