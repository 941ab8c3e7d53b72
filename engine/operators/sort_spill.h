#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "memory/prepaid_memory.h"
#include "operators/sort_keys.h"
#include "operators/sorted_rows.h"
#include "operators/spilled_rows.h"
#include "operators/worker_spill.h"
#include "spill/spill_target.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace accelerant::operators {

/// What a sort does for those who read its rows.
struct SortReaders {
  /// Returns the bytes that they need beside rows in memory; empty: what is usual.
  std::function<int64_t(const SortedRuns&)> bytes_to_read = {};
  /// Returns a run of the rows of another that they may want, or nullptr: these are most of its rows, as they are where
  /// this is empty. Draws from the context's budget.
  std::function<std::unique_ptr<const SortedRun>(const SortedRun&, const execution::OperatorContext&)> prune = {};
};

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

    std::optional<RunRows> rows_;          ///< that were put together, and could not be sorted or written
    std::vector<columns::Batch> batches_;  ///< those behind them
    int64_t num_rows_ = 0;
    int64_t foreign_bytes_ = 0;  ///< of rows that do not lie in its memory
    int64_t more_bytes_ = 0;     ///< that rows take more when they are put together
  };

  SortSpill(std::shared_ptr<const KeyOrder> order, const execution::OperatorContext& ctx,
            std::shared_ptr<spill::SpillTarget> target, SortReaders readers = {});

  std::shared_ptr<Worker> add_worker();
  /// Takes a copy of a batch without errors. A step.
  void take(Worker& worker, const columns::Batch& in);
  /// Leaves to a worker, which goes on, the rows that readers may want. Returns how many it has then in memory. A step.
  int64_t prune(Worker& worker);
  /// Sorts what a worker has, in memory if nothing was written so far. A step.
  void end(Worker& worker);
  /// Where something was written, writes what was not, and merges runs until they can be merged at once. A step.
  void complete();
  /// Returns the rows, once all workers have ended; nullptr where all of them go to disk, as some have gone, or as
  /// memory would be short for who reads them.
  std::shared_ptr<const SortedRows> sorted();
  /// Returns the rows, once complete.
  /// @param num_keys no part begins with a row that has the same in so many first keys as the row before
  std::shared_ptr<const SpilledParts> spilled(size_t num_keys) const;

 private:
  void write(SpillingWorker& worker, const execution::Cancellation& cancellation) override;
  /// Returns what a worker's memory has to be to sort and write its rows and those of a batch.
  /// @param foreign_bytes, more_bytes of the batch's rows
  int64_t needed_bytes(const Worker& worker, const columns::Batch& in, int64_t foreign_bytes, int64_t more_bytes) const;
  columns::Batch copy(Worker& worker, const columns::Batch& in);
  static void put_together(Worker& worker, const execution::OperatorContext& ctx);
  /// Sorts the rows of a worker, and leaves out those that readers do not want. The worker keeps its rows.
  std::unique_ptr<const SortedRun> sort(Worker& worker, const execution::Cancellation& cancellation);
  std::unique_ptr<const SortedRun> pruned(std::unique_ptr<const SortedRun> run, memory::PrepaidMemory& memory,
                                          const execution::OperatorContext& ctx) const;
  /// Writes a run in blocks of fewer rows where a memory, which it draws from, is too short for some of them.
  SpilledRunPtr write_run(const SortedRun& run, memory::PrepaidMemory& memory,
                          const execution::Cancellation& cancellation);
  SpilledRunPtr write_run(const SortedRun& run, const execution::OperatorContext& ctx, int64_t block_rows);
  /// Says whether who reads rows in memory has enough of it beside them.
  bool leaves_room() const;
  int64_t fan_in(const SpilledRuns& runs) const;
  SpilledRunPtr merge(SpilledRuns runs);

  const std::shared_ptr<const KeyOrder> order_;
  const SortReaders readers_;
  SpilledRuns spilled_;
  SortedRuns sorted_;                                           ///< of workers that have ended
  std::vector<std::shared_ptr<memory::PrepaidMemory>> memory_;  ///< of these runs, in the same order
};

}  // namespace accelerant::operators
