#pragma once

#include "execution/context.h"
#include "expressions/pruning.h"
#include "io/key_filtering.h"
#include "io/page_index.h"
#include "io/parquet_file.h"
#include "io/pruning_trial.h"
#include "io/row_ranges.h"
#include "io/scan_filter.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::io {

/// A row group to be read.
struct RowGroupTask {
  std::shared_ptr<const ParquetFile> file;
  int row_group;
  std::shared_ptr<const FileSplit> split;  ///< for its partition values
  int partition = 0;                       ///< Spark's

  int64_t num_rows() const { return file->row_groups[static_cast<size_t>(row_group)].num_rows; }
};

/// Decides from what a file says of a row group which of its rows can be wanted, and which filters need not be run.
class RowGroupPruning {
 public:
  /// All arguments outlive it.
  RowGroupPruning(const ScanSpec& spec, const RowGroupTask& task, const KeyFiltering& key_filters,
                  const execution::OperatorContext& ctx)
      : spec_(spec), task_(task), key_filters_(key_filters), ctx_(ctx) {}

  /// Returns the filters that the row group's statistics do not decide; drops all rows where no row can pass one, or no
  /// key can be wanted.
  std::vector<ScanFilter*> decide(std::vector<ScanFilter>& filters, RowRanges& rows) const;
  /// Drops all rows where a Bloom filter shows that none can pass one of `filters`; else those of pages in which no row
  /// can pass, or no key can be wanted, by the file's page index.
  /// @param bytes the task's file
  void prune_by_indexes(std::span<ScanFilter* const> filters, const LocalFile& bytes, RowRanges& rows) const;
  /// Drops all rows where filters of one column drop all values of its dictionary.
  /// @param trial is told of each row group that a dictionary was read of
  void prune_by_dictionaries(std::span<ScanFilter* const> filters, const LocalFile& bytes, PruningTrial& trial,
                             RowRanges& rows) const;

 private:
  struct IndexedColumn;
  class PageIndexes;

  expressions::ColumnStatistics statistics(size_t column) const;
  bool drops_all_keys() const;
  bool has_no_such_value(const expressions::Program& filter, const LocalFile& bytes) const;
  void prune_by_filter(const expressions::Program& filter, PageIndexes& indexes, RowRanges& rows) const;
  void prune_by_keys(size_t filter, PageIndexes& indexes, RowRanges& rows) const;

  const ScanSpec& spec_;
  const RowGroupTask& task_;
  const KeyFiltering& key_filters_;
  const execution::OperatorContext& ctx_;
};

}  // namespace accelerant::io
