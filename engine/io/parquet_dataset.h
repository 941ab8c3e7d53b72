#pragma once

#include "io/parquet_file.h"
#include "io/row_group_reader.h"
#include "io/scan.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace accelerant::io {

/// Opens Parquet files, as open_files does.
std::shared_ptr<const Dataset> open_parquet(std::shared_ptr<const ScanSpec> spec,
                                            std::vector<std::vector<FileSplit>> partitions, int threads,
                                            const std::shared_ptr<memory::Budget>& budget);

/// Parquet files as Spark split them.
class ParquetDataset final : public Dataset {
 public:
  /// Reads the footers on up to `threads` threads, joined before it returns.
  ParquetDataset(std::shared_ptr<const ScanSpec> spec, std::vector<std::vector<FileSplit>> partitions, int threads,
                 std::shared_ptr<memory::Budget> budget);

  int num_partitions() const override { return static_cast<int>(partitions_->size()); }
  int64_t partition_bytes(int partition) const override;
  int64_t num_rows(int first, int last) const override;
  int64_t num_morsels() const override;
  bool reads_same_files(const Dataset& other) const override;
  ColumnSummary summarize(int column) const override;
  bool has_encoded_scans() const override;
  /// Footers of files that changed since they were read are read again.
  std::unique_ptr<Scan> scan(int first, int last, const execution::OperatorContext& ctx) const override;

 private:
  using Files = std::vector<std::shared_ptr<const ParquetFile>>;

  std::vector<RowGroupTask> tasks(const Files& files, int first, int last) const;
  Files refresh(int first, int last) const;

  const std::shared_ptr<const ScanSpec> spec_;
  const std::shared_ptr<const std::vector<std::vector<FileSplit>>> partitions_;
  const int threads_;
  const std::shared_ptr<memory::Budget> budget_;
  std::vector<std::string> uris_;             ///< distinct, in order of first use
  std::vector<std::vector<size_t>> file_of_;  ///< position in `uris_`, by partition and split
  Files files_;                               ///< one a URI
  mutable std::mutex mutex_;
  mutable std::map<int, ColumnSummary> summaries_;  ///< by column, of those asked for
};

}  // namespace accelerant::io
