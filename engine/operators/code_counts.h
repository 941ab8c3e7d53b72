#pragma once

#include "columns/column.h"

#include <cstdint>
#include <span>
#include <vector>

namespace accelerant::operators {

/// Counts how often each value of dictionary columns comes in a batch. Columns that were computed from one another
/// share their codes, which are counted once. One worker at a time.
class CodeCounts {
 public:
  /// Forgets the columns of the batch before.
  void start_batch() { counted_ = nullptr; }
  /// Returns a number for each value of a dictionary column's dictionary: the rows, not null, that refer to it. Empty
  /// where the dictionary is so large that looking up each row's value is no more work. Valid until the next call.
  std::span<const int64_t> of(const columns::Column& column);

 private:
  const int32_t* counted_ = nullptr;  ///< the codes that were counted last
  const uint8_t* validity_ = nullptr;
  std::vector<int64_t> counts_;
};

}  // namespace accelerant::operators
