#pragma once

#include "columns/batch.h"
#include "io/cached_column_writer.h"
#include "io/message_limits.h"
#include "memory/budget.h"
#include "types/data_type.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace accelerant::io {

/// Lays out rows as Spark's column builders do for a cached relation (DefaultCachedBatch): the same bytes a column, the
/// same statistics, as many rows a batch. One thread at a time.
class CachedBatchWriter {
 public:
  /// A batch: native int32s, the number of rows, the number of parts and each one's bytes, then the parts: the columns,
  /// and the statistics, an UnsafeRow of five fields a column.
  using Bytes = std::vector<uint8_t>;

  /// @param type a struct of the rows' columns
  /// @param is_compressed see write_cached_column
  /// @throws Error Unsupported for columns that `can_cache` refuses
  CachedBatchWriter(const types::DataType& type, bool is_compressed, std::shared_ptr<memory::Budget> budget);

  /// Takes in rows, and returns the batches that are full, which are charged to nobody. The rest waits.
  /// @param limits both positive; the row that exceeds the bytes is a batch's last
  std::vector<Bytes> write(const columns::Batch& batch, MessageLimits limits);
  /// Returns the batches of what has waited; none where there is no row.
  std::vector<Bytes> finish(MessageLimits limits);

 private:
  /// Returns a batch of the first rows that wait, as many as the limits allow.
  Bytes take(MessageLimits limits);
  /// Returns the next rows of a column.
  columns::ColumnPtr next_rows(size_t column, int64_t num_rows) const;
  void drop(int64_t num_rows);
  Bytes encode(const std::vector<columns::ColumnPtr>& columns, int64_t num_rows) const;

  const bool is_compressed_;
  const std::shared_ptr<memory::Budget> budget_;
  std::deque<columns::Batch> waiting_;
  int64_t num_waiting_ = 0;  ///< rows
};

}  // namespace accelerant::io
