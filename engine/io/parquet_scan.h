#pragma once

#include "io/encoded_scan.h"
#include "io/row_group_reader.h"
#include "io/scan.h"

#include <atomic>
#include <memory>
#include <vector>

namespace accelerant::io {

/// Emits the batches of row groups, each a morsel. Workers draw row groups from a counter, in order.
class ParquetScan final : public Scan, public EncodedScan {
 public:
  /// @param tasks in the order of their rows
  /// @param num_pruned row groups beside them that are not read; they count as done once somebody reads
  ParquetScan(std::shared_ptr<const ScanSpec> spec, std::vector<RowGroupTask> tasks, int64_t num_pruned,
              execution::OperatorContext ctx);

  std::unique_ptr<ScanWorker> make_worker() override;
  EncodedScan* encoded() override { return this; }
  std::unique_ptr<EncodedScanWorker> make_encoded_worker(memory::AllocateBuffer allocate) override;
  int64_t num_morsels() const override { return static_cast<int64_t>(tasks_.size()); }

 private:
  class Morsel;
  class Worker;
  class EncodedWorker;

  /// Draws a row group and returns its number; one past the last when there is none left.
  int64_t take_task();
  void count_input(const RowGroupTask& task);

  const std::shared_ptr<const ScanSpec> spec_;
  const std::vector<RowGroupTask> tasks_;
  const execution::OperatorContext ctx_;
  const std::vector<int64_t> partition_starts_;  ///< by task: the first one of its partition
  std::atomic<int64_t> next_task_{0};
  std::atomic<int64_t> num_pruned_;  ///< that are not counted yet
};

}  // namespace accelerant::io
