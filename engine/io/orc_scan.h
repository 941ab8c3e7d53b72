#pragma once

#include "io/orc_stripe_reader.h"
#include "io/scan.h"

#include <atomic>
#include <memory>
#include <vector>

namespace accelerant::io {

/// Emits the batches of stripes, each a morsel. Workers draw stripes from a counter, in order.
class OrcScan final : public Scan {
 public:
  /// @param tasks in the order of their rows
  /// @param num_pruned stripes beside them that are not read; they count as done once somebody reads
  OrcScan(std::shared_ptr<const ScanSpec> spec, std::vector<OrcTask> tasks, int64_t num_pruned,
          execution::OperatorContext ctx);

  std::unique_ptr<ScanWorker> make_worker() override;
  int64_t num_morsels() const override { return static_cast<int64_t>(tasks_.size()); }

 private:
  class Worker;

  /// Draws a stripe and returns its number; one past the last when there is none left.
  int64_t take_task();

  const std::shared_ptr<const ScanSpec> spec_;
  const std::vector<OrcTask> tasks_;
  const execution::OperatorContext ctx_;
  const std::vector<int64_t> partition_starts_;  ///< by task: the first one of its partition
  std::atomic<int64_t> next_task_{0};
  std::atomic<int64_t> num_pruned_;  ///< that are not counted yet
};

}  // namespace accelerant::io
