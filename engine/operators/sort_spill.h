#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "memory/budget.h"
#include "memory/prepaid_memory.h"
#include "operators/sort_keys.h"
#include "operators/sorted_rows.h"
#include "operators/spilled_merge.h"
#include "operators/stage_results.h"
#include "spill/spill_target.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace accelerant::operators {

/// The rows of a sort that goes to disk where memory is short. A worker's rows lie in prepaid memory that is enough to
/// sort them, so that they can be sorted and written when there is none. Who lacks memory writes its own rows; whoever
/// else of the query lacks some has those of all workers written, as it reclaims memory.
class SortSpill final : public memory::MemoryReclaimer {
 public:
  /// The rows of a worker.
  class Worker {
   public:
    explicit Worker(const std::shared_ptr<memory::Budget>& payer);

   private:
    friend class SortSpill;

    const std::shared_ptr<memory::PrepaidMemory> memory_;
    std::vector<columns::Batch> batches_;
    int64_t num_rows_ = 0;
    int64_t foreign_bytes_ = 0;            ///< of rows that do not lie in its memory
    std::atomic<bool> is_busy_{false};     ///< somebody works with it
    std::atomic<bool> asks_{false};        ///< its worker, who is busy with it, waits for memory
    std::atomic<bool> must_spill_{false};  ///< as soon as nobody is busy with it
    std::mutex spilling_;                  ///< held while rows are written: nothing that waits for memory holds it
  };

  SortSpill(std::shared_ptr<const KeyOrder> order, const execution::OperatorContext& ctx,
            std::shared_ptr<spill::SpillTarget> target);

  std::shared_ptr<Worker> add_worker();
  /// Takes a copy of a batch without errors. A step.
  void take(Worker& worker, const columns::Batch& in);
  /// Sorts what a worker has, in memory if nothing was written so far. A step.
  void end(Worker& worker);
  /// Says whether all rows go to disk. Once all workers have ended.
  bool has_spilled() const { return has_spilled_; }
  /// Writes what is not on disk, and merges runs until they can be merged at once. A step.
  void complete();
  /// Returns the rows, once all workers have ended; nullptr where all of them go to disk, as some have gone, or as
  /// memory would be short for who reads them.
  std::shared_ptr<const SortedRows> sorted();
  /// Returns the rows, once complete.
  std::shared_ptr<const StageRows> spilled() const;

  /// Writes the rows of all workers.
  void reclaim() noexcept override;

 private:
  class Lease;

  /// Returns what a worker's memory has to be to sort and write its rows and those of a batch.
  /// @param foreign_bytes of the batch's rows that do not lie in it
  int64_t needed_bytes(const Worker& worker, const columns::Batch& in, int64_t foreign_bytes) const;
  /// @param cancellation the query's; another one for those who are none of its workers, and may outlive it
  execution::OperatorContext context_of(Worker& worker, const execution::Cancellation& cancellation) const;
  columns::Batch copy(Worker& worker, const columns::Batch& in);
  /// Calls `make`, which draws from a worker's memory, with more of it as long as that is not enough.
  void with_memory(Worker& worker, const std::function<void()>& make);
  void grow(Worker& worker, int64_t bytes);
  std::unique_ptr<const SortedRun> sort(Worker& worker, const execution::Cancellation& cancellation);
  SpilledRunPtr write(const SortedRun& run, const execution::OperatorContext& ctx);
  void spill(Worker& worker, const execution::Cancellation& cancellation);
  void try_to_spill(Worker& worker, const execution::Cancellation& cancellation) noexcept;
  void ask_larger_workers(const Worker& worker);
  std::vector<std::shared_ptr<Worker>> workers();
  /// Says whether who reads rows in memory has enough of it beside them.
  bool leaves_room() const;
  int64_t fan_in(const SpilledRuns& runs) const;
  SpilledRunPtr merge(SpilledRuns runs);

  const std::shared_ptr<const KeyOrder> order_;
  const execution::OperatorContext ctx_;
  const execution::Cancellation never_;
  const std::shared_ptr<spill::SpillTarget> target_;
  std::atomic<bool> has_spilled_{false};
  std::atomic<bool> has_complained_{false};  ///< that it can't spill
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<Worker>> workers_;
  int64_t num_workers_ = 0;  ///< that there were
  SpilledRuns spilled_;
  SortedRuns sorted_;                                           ///< of workers that have ended
  std::vector<std::shared_ptr<memory::PrepaidMemory>> memory_;  ///< of these runs, in the same order
};

}  // namespace accelerant::operators
