#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "expressions/evaluator.h"
#include "expressions/pruning.h"
#include "io/chunk_reader.h"
#include "io/key_filtering.h"
#include "io/parquet_file.h"

#include <memory>
#include <optional>
#include <vector>

namespace accelerant::io {

/// A conjunct of the scan's filter with the state to run it.
struct ScanFilter {
  std::shared_ptr<const expressions::Program> program;
  expressions::Evaluator evaluator;
};

/// Makes the filters of a scan in the order in which they are best run: of those before the first that can fail, the
/// ones that need few and narrow columns come before others; the rest keeps its order.
std::vector<ScanFilter> make_filters(const ScanSpec& spec, const execution::OperatorContext& ctx);

/// A row group to be read.
struct RowGroupTask {
  std::shared_ptr<const ParquetFile> file;
  int row_group;
  std::shared_ptr<const FileSplit> split;  ///< for its partition values
};

/// Reads the batches of one row group. Filters that its statistics decide are not run. The columns that the others and
/// key filters need are read first; the rest only in batches of which rows are left, and not at all (not even their
/// bytes) while none are.
class RowGroupReader {
 public:
  /// @param filters the worker's, as are `key_filters`; they and `ctx` outlive the reader
  RowGroupReader(const ScanSpec& spec, RowGroupTask task, std::vector<ScanFilter>& filters, KeyFiltering& key_filters,
                 const execution::OperatorContext& ctx);
  ~RowGroupReader();

  /// Returns the next batch that has rows or errors left, or nothing at the end. Does not set its place.
  std::optional<columns::Batch> next();
  /// Says whether the last row was passed.
  bool at_end() const { return position_ == num_rows_; }
  /// Returns a batch without rows.
  columns::Batch empty_batch() const;

 private:
  expressions::ColumnStatistics statistics(size_t column) const;
  void decide_filters(std::vector<ScanFilter>& filters);
  void decide_key_filters();
  void open();
  bool is_filtered(size_t column) const;
  void fetch(bool for_filters);
  void start_column(size_t column, ChunkRange range, const memory::BufferPtr& bytes, int64_t bytes_offset);
  void load(size_t column, columns::Batch& batch);
  columns::ColumnPtr read_column(size_t column, int64_t num_rows);
  bool filter(columns::Batch& batch);
  bool filter_by_keys(columns::Batch& batch);
  void load_rest(columns::Batch& batch);
  void pass_over(const columns::Batch& batch);
  [[noreturn]] void rethrow(size_t column) const;

  const ScanSpec& spec_;
  RowGroupTask task_;
  KeyFiltering& key_filters_;
  const execution::OperatorContext& ctx_;
  std::vector<ScanFilter*> filters_;  ///< those to be run
  std::optional<LocalFile> local_;
  std::vector<std::unique_ptr<ChunkReader>> readers_;  ///< one a column; made when its bytes are fetched
  int64_t num_rows_;
  int64_t position_ = 0;  ///< rows passed
};

}  // namespace accelerant::io
