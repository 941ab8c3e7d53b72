#pragma once

#include "io/line_dataset.h"
#include "io/scan.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::io {

/// A part of a split whose lines are a morsel.
struct LineTask {
  std::shared_ptr<const FileSplit> split;
  int64_t start;
  int64_t end;
  int partition;
};

/// Emits the rows of lines. Workers draw parts of files from a counter, in order.
class LineScan final : public Scan {
 public:
  /// @param tasks in the order of their rows
  /// @param num_pruned parts beside them that are not read; they count as done once somebody reads
  LineScan(std::shared_ptr<const ScanSpec> spec, LineFormat format, std::vector<LineTask> tasks, int64_t num_pruned,
           execution::OperatorContext ctx);

  std::unique_ptr<ScanWorker> make_worker() override;
  int64_t num_morsels() const override { return static_cast<int64_t>(tasks_.size()); }

 private:
  class Worker;

  /// Draws a part and returns its number; one past the last when there is none left.
  int64_t take_task();

  const std::shared_ptr<const ScanSpec> spec_;
  const LineFormat format_;
  const std::vector<LineTask> tasks_;
  const execution::OperatorContext ctx_;
  const std::vector<int64_t> partition_starts_;  ///< by task: the first one of its partition
  std::atomic<int64_t> next_task_{0};
  std::atomic<int64_t> num_pruned_;  ///< that are not counted yet
};

}  // namespace accelerant::io
