#pragma once

#include "columns/batch.h"
#include "memory/budget.h"
#include "operators/sort_keys.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::operators {

/// Finds where groups begin: rows of equal keys, which come one after the other, in batches of any size.
class GroupBegins {
 public:
  /// @param keys positions of columns
  GroupBegins(std::vector<int> keys, std::shared_ptr<memory::Budget> budget);

  /// Returns the rows with which groups begin in the next batch, in order; those before are of the last one until now.
  /// @param columns of `num_rows` rows each
  /// @throws Error Resource when the budget has no memory for flat copies of encoded keys
  std::vector<int64_t> find(std::span<const columns::ColumnPtr> columns, int64_t num_rows);

 private:
  const std::vector<int> keys_;
  const KeyOrder order_;  ///< of the keys alone
  const std::shared_ptr<memory::Budget> budget_;
  std::vector<columns::ColumnPtr> last_;  ///< the keys of the batch before, flat
  int64_t last_row_ = -1;                 ///< of these; -1: there was none
};

}  // namespace accelerant::operators
