#pragma once

#include "columns/column.h"

#include <span>
#include <vector>

namespace accelerant::execution {
class Cancellation;
}

namespace accelerant::columns {

/// Returns the rows of `column` at `rows` (each in [0, length)), in that order. Dictionary columns keep their
/// dictionary, strings share their heap.
ColumnPtr gather(const Column& column, std::span<const int32_t> rows, const std::shared_ptr<memory::Budget>& budget);

/// Like `gather`; a row of -1 gives null.
ColumnPtr gather_or_null(const Column& column, std::span<const int32_t> rows,
                         const std::shared_ptr<memory::Budget>& budget);

/// Some rows of a column.
struct RowsOfColumn {
  const Column* column;
  std::span<const int32_t> rows;
};

/// Returns rows of several columns of one type, one after the other, as a column that owns its bytes if there are
/// several. Decimals of both widths may be mixed.
/// @param parts at least one
ColumnPtr gather_all(std::span<const RowsOfColumn> parts, const std::shared_ptr<memory::Budget>& budget);

/// Returns an equal flat column that starts at offset 0 of its buffers; flat input at offset 0 is returned as it is.
ColumnPtr flatten(const ColumnPtr& column, const std::shared_ptr<memory::Budget>& budget);

/// Returns an equal flat column that owns all its bytes and no others: for what outlives its batch.
ColumnPtr copy_compact(const Column& column, const std::shared_ptr<memory::Budget>& budget);

/// Returns the columns' rows one after the other as a flat column that owns its bytes. Decimals of both widths may be
/// mixed.
/// @param parts at least one, all of one type
/// @param cancellation looked at before each part; nullptr: none
/// @throws Error Cancelled
ColumnPtr concatenate(std::span<const ColumnPtr> parts, const std::shared_ptr<memory::Budget>& budget,
                      const execution::Cancellation* cancellation = nullptr);

/// Returns what the values of a column take in one that `concatenate` makes, in which rows no longer share strings; of
/// nested values what they take now.
int64_t concatenated_bytes(const Column& column);

/// Returns a decimal column as Int128 in the same encoding; others are returned as they are.
ColumnPtr widen_decimal(const ColumnPtr& column, const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::columns
