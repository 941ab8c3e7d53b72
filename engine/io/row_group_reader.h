#pragma once

#include "columns/batch.h"
#include "device/encoded_batch.h"
#include "execution/context.h"
#include "io/chunk_reader.h"
#include "io/key_filtering.h"
#include "io/parquet_file.h"
#include "io/pruning_trial.h"
#include "io/row_group_pruning.h"
#include "io/row_ranges.h"
#include "io/scan_filter.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace accelerant::io {

/// What a worker keeps from one row group to the next.
struct ScanState {
  std::vector<ScanFilter> filters;
  KeyFiltering key_filters;
  PruningTrial page_indexes;
  PruningTrial dictionaries;
};

/// Reads the batches of one row group. Filters that its statistics decide are not run, and pages in which no row can
/// pass are not read. The columns that the other filters and key filters need are read first; the rest only in batches
/// of which rows are left, and not at all (not even their bytes) while none are.
class RowGroupReader {
 public:
  /// @param state the worker's; all but `task` outlive the reader
  RowGroupReader(const ScanSpec& spec, RowGroupTask task, ScanState& state, const execution::OperatorContext& ctx);
  ~RowGroupReader();

  /// Returns the next batch that has rows or errors left, or nothing at the end. Does not set its place. Where memory
  /// has to be waited for, what was read of the columns is let go, and the next call fetches it again.
  /// @throws memory::MemoryWait
  std::optional<columns::Batch> next();
  /// Reads all columns as they are stored, to memory that `allocate` gives what a device copies; only before `next`,
  /// which gives the rows all the same. No rows where none is wanted, no columns where something is wrong with one.
  /// Does not set its place.
  device::EncodedBatch read_encoded(const memory::AllocateBuffer& allocate);
  /// Says whether the last row was passed.
  bool at_end() const { return position_ == num_rows_; }
  /// Returns a batch without rows.
  columns::Batch empty_batch() const;

 private:
  /// A column of the scan and its chunks: one, or one a leaf.
  struct ColumnChunks {
    size_t column;
    std::vector<ChunkSource> chunks;
  };

  void open();
  std::optional<columns::Batch> read_next();
  void let_go();
  void prune();
  void prune_by_indexes();
  void prune_by_dictionaries();
  bool is_filtered(size_t column) const;
  void fetch(bool for_filters);
  void fetch_whole(const memory::AllocateBuffer& allocate);
  void fetch_together(std::span<ChunkSource* const> chunks, const memory::AllocateBuffer& allocate);
  bool fetch_wanted_pages(ChunkSource& chunk);
  ColumnChunks chunks_of(size_t column) const;
  ChunkSource source_of(const FileColumn& column) const;
  void start_column(ColumnChunks chunks);
  void load(size_t column, columns::Batch& batch);
  columns::ColumnPtr read_constant(size_t column);
  columns::ColumnPtr read_column(size_t column, int64_t num_rows);
  columns::ColumnPtr read_row_indexes(const types::DataType& type, int64_t first, int64_t num_rows) const;
  void keep_survivors(columns::Batch& batch);
  bool filter(columns::Batch& batch);
  bool filter_by_keys(columns::Batch& batch);
  void load_rest(columns::Batch& batch);
  void pass_over(const columns::Batch& batch);
  void move_to_wanted_row();
  [[noreturn]] void rethrow(size_t column) const;

  const ScanSpec& spec_;
  RowGroupTask task_;
  ScanState& state_;
  const execution::OperatorContext& ctx_;
  RowGroupPruning pruning_;
  RowRanges wanted_;
  std::vector<ScanFilter*> filters_;  ///< those to be run
  std::optional<LocalFile> local_;
  std::vector<std::unique_ptr<ColumnReader>> readers_;  ///< one a column; made when its bytes are fetched
  const int64_t num_rows_;
  const int64_t batch_rows_;      ///< read at a time
  int64_t position_ = 0;          ///< rows passed
  int64_t span_ = 0;              ///< rows that the current batch was started with
  columns::Selection survivors_;  ///< which of them it still has; nullptr: all
  bool is_pruned_ = false;
  bool is_started_ = false;
};

}  // namespace accelerant::io
