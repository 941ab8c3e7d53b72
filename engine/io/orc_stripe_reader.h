#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "io/key_filtering.h"
#include "io/orc_file.h"
#include "io/scan_filter.h"

#include <memory>
#include <optional>
#include <vector>

namespace accelerant::io {

/// A stripe to be read.
struct OrcTask {
  std::shared_ptr<const OrcFile> file;
  size_t stripe;
  std::shared_ptr<const FileSplit> split;
  int partition;

  int64_t num_rows() const { return file->metadata.stripes[stripe].num_rows; }
};

/// What a worker keeps from one stripe to the next.
struct OrcScanState {
  std::vector<ScanFilter> filters;
  KeyFiltering key_filters;
};

/// Reads the batches of one stripe. The columns that filters need are read first; the rest only in batches of which
/// rows are left, and not at all (not even their bytes) while none are.
class OrcStripeReader {
 public:
  /// @param state the worker's; all but `task` outlive the reader
  OrcStripeReader(const ScanSpec& spec, OrcTask task, OrcScanState& state, const execution::OperatorContext& ctx);
  ~OrcStripeReader();

  /// Returns the next batch that has rows or errors left, or nothing at the end. Does not set its place. Where memory
  /// has to be waited for, what was read of the columns is let go, and the next call fetches it again.
  /// @throws memory::MemoryWait
  std::optional<columns::Batch> next();
  /// Says whether the last row was passed.
  bool at_end() const { return position_ == num_rows_; }
  /// Returns a batch without rows.
  columns::Batch empty_batch() const;

 private:
  bool is_stored(size_t column) const;
  bool is_filtered(size_t column) const;
  void open();
  void fetch(bool for_filters);
  std::optional<columns::Batch> read_next();
  void let_go();
  void load(size_t column, columns::Batch& batch);
  columns::ColumnPtr read_column(size_t column, int64_t num_rows);
  bool filter(columns::Batch& batch);
  void load_rest(columns::Batch& batch);
  void pass_over(const columns::Batch& batch);

  const ScanSpec& spec_;
  const OrcTask task_;
  OrcScanState& state_;
  const execution::OperatorContext& ctx_;
  std::optional<LocalFile> local_;
  OrcStripeFooter footer_;
  std::optional<OrcStripeData> data_;
  std::vector<std::unique_ptr<OrcColumnReader>> readers_;  ///< one a column; made when its bytes are fetched
  const int64_t num_rows_;
  const int64_t batch_rows_;
  int64_t position_ = 0;  ///< rows passed
};

}  // namespace accelerant::io
