#pragma once

#include "columns/batch.h"
#include "io/cached_column_writer.h"
#include "io/message_limits.h"
#include "memory/budget.h"
#include "types/data_type.h"

#include <cstdint>
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

  /// Takes in rows, and returns the batches that are full, which are charged to nobody: together they are about as
  /// large as the rows. The rest waits, less than a batch.
  /// @param limits both positive; the row that exceeds the bytes is a batch's last
  std::vector<Bytes> write(const columns::Batch& batch, MessageLimits limits);
  /// Returns a batch of what has waited; none where there is no row.
  std::vector<Bytes> finish();

 private:
  /// Returns how many rows of a batch, from one on, belong to the batch that is being filled; counts their bytes.
  int64_t count(const columns::Batch& batch, int64_t first, MessageLimits limits);
  /// Returns a batch of the rows that wait.
  Bytes take();
  /// Has waiting rows keep no others alive.
  void let_go_of_others();
  columns::ColumnPtr waiting_column(size_t column) const;

  const bool is_compressed_;
  const std::shared_ptr<memory::Budget> budget_;
  std::vector<columns::Batch> waiting_;
  int64_t num_waiting_ = 0;    ///< rows
  int64_t waiting_bytes_ = 0;  ///< as Spark counts them
};

}  // namespace accelerant::io
