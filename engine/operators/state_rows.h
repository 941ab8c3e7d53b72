#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "memory/array.h"
#include "plan/aggregate.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::operators {

/// Rows of an aggregate's input as groups of their own, which merge with others of their keys where they are read.
struct StateRows {
  explicit StateRows(const std::shared_ptr<memory::Budget>& budget) : hashes(budget) {}

  /// Bytes of its columns.
  int64_t num_bytes() const;

  int64_t num_rows = 0;
  std::vector<columns::ColumnPtr> columns;  ///< flat: [keys..., states of each call...]
  std::vector<size_t> num_states;           ///< columns of each call
  memory::Array<uint64_t> hashes;           ///< of the keys, one a row
};

/// Makes states of the selected rows of a batch, in which keys and arguments were evaluated.
/// @param ctx of what is made
StateRows state_rows_of(const plan::Aggregate& node, columns::Batch batch, const execution::OperatorContext& ctx);

}  // namespace accelerant::operators
