#pragma once

#include "io/orc_bits.h"

#include <cstdint>
#include <optional>

namespace accelerant::io {

/// Which of some rows have a value.
struct OrcRows {
  int64_t num_rows;
  int64_t num_values;          ///< rows that have one
  memory::BufferPtr valid;     ///< a byte a row, 1 where it has one; nullptr: all have
  memory::BufferPtr validity;  ///< the same as a bitmap

  /// Moves values that lie one after the other to the rows that have one. Where a row has none there is a zero.
  template <class T>
  void spread(T* values) const {
    if (!valid) return;
    const uint8_t* is_valid = valid->data();
    for (int64_t row = num_rows, next = num_values; row-- > 0;) values[row] = is_valid[row] ? values[--next] : T{};
  }
};

/// Reads which rows of a column are not null.
class OrcPresence {
 public:
  /// @param bits nothing: no row is null
  OrcPresence(std::optional<OrcBits> bits, std::shared_ptr<memory::Budget> budget)
      : bits_(std::move(bits)), budget_(std::move(budget)) {}

  OrcRows read(int64_t n);

 private:
  std::optional<OrcBits> bits_;
  std::shared_ptr<memory::Budget> budget_;
};

}  // namespace accelerant::io
