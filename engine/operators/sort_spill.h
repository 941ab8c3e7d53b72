#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "memory/prepaid_memory.h"
#include "operators/sort_keys.h"
#include "operators/sorted_rows.h"
#include "operators/spilled_merge.h"
#include "operators/stage_results.h"
#include "operators/worker_spill.h"
#include "spill/spill_target.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::operators {

/// The rows of a sort that goes to disk where memory is short. A worker's rows lie in prepaid memory that is enough to
/// sort and write them.
class SortSpill final : public WorkerSpill {
 public:
  /// The rows of a worker.
  class Worker final : public SpillingWorker {
   public:
    using SpillingWorker::SpillingWorker;
    bool is_empty() const override { return num_rows_ == 0; }

   private:
    friend class SortSpill;

    std::vector<columns::Batch> batches_;
    int64_t num_rows_ = 0;
    int64_t foreign_bytes_ = 0;  ///< of rows that do not lie in its memory
  };

  SortSpill(std::shared_ptr<const KeyOrder> order, const execution::OperatorContext& ctx,
            std::shared_ptr<spill::SpillTarget> target);

  std::shared_ptr<Worker> add_worker();
  /// Takes a copy of a batch without errors. A step.
  void take(Worker& worker, const columns::Batch& in);
  /// Sorts what a worker has, in memory if nothing was written so far. A step.
  void end(Worker& worker);
  /// Where something was written, writes what was not, and merges runs until they can be merged at once. A step.
  void complete();
  /// Returns the rows, once all workers have ended; nullptr where all of them go to disk, as some have gone, or as
  /// memory would be short for who reads them.
  std::shared_ptr<const SortedRows> sorted();
  /// Returns the rows, once complete.
  std::shared_ptr<const StageRows> spilled() const;

 private:
  void write(SpillingWorker& worker, const execution::Cancellation& cancellation) override;
  /// Returns what a worker's memory has to be to sort and write its rows and those of a batch.
  /// @param foreign_bytes of the batch's rows that do not lie in it
  int64_t needed_bytes(const Worker& worker, const columns::Batch& in, int64_t foreign_bytes) const;
  columns::Batch copy(Worker& worker, const columns::Batch& in);
  std::unique_ptr<const SortedRun> sort(Worker& worker, const execution::Cancellation& cancellation);
  SpilledRunPtr write_run(const SortedRun& run, const execution::OperatorContext& ctx);
  /// Says whether who reads rows in memory has enough of it beside them.
  bool leaves_room() const;
  int64_t fan_in(const SpilledRuns& runs) const;
  SpilledRunPtr merge(SpilledRuns runs);

  const std::shared_ptr<const KeyOrder> order_;
  SpilledRuns spilled_;
  SortedRuns sorted_;                                           ///< of workers that have ended
  std::vector<std::shared_ptr<memory::PrepaidMemory>> memory_;  ///< of these runs, in the same order
};

}  // namespace accelerant::operators
