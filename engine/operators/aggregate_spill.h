#pragma once

#include "execution/context.h"
#include "memory/prepaid_memory.h"
#include "operators/grouped_states.h"
#include "operators/spilled_groups.h"
#include "operators/stage_results.h"
#include "operators/state_rows.h"
#include "operators/worker_spill.h"
#include "plan/aggregate.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace accelerant::operators {

/// The groups of an aggregate, which go to disk where memory is short: each worker has memory beside them that is
/// enough to write them. Once some are on disk all go there, and are merged as they are read.
class AggregateSpill final : public WorkerSpill {
 public:
  /// The groups of a worker.
  class Worker final : public SpillingWorker {
   public:
    explicit Worker(const std::shared_ptr<memory::Budget>& payer)
        : SpillingWorker(payer), writing_(memory::PrepaidMemory::create(payer)) {}
    bool is_empty() const override { return num_groups() == 0 && arranged_.empty() && rows_.empty(); }

   private:
    friend class AggregateSpill;

    /// Of the set at hand.
    int64_t num_groups() const { return groups_ ? groups_->num_groups() : 0; }
    /// Says whether its groups, which are not written, are about as many as rows were added to them.
    bool hardly_merges() const;

    std::shared_ptr<memory::PrepaidMemory> writing_;  ///< what writing groups takes
    std::unique_ptr<GroupSet> groups_;                ///< nullptr: none yet, or they were arranged or written
    std::vector<ArrangedGroups> arranged_;            ///< those before, of full tables
    int64_t num_arranged_ = 0;
    int64_t num_sets_ = 0;         ///< that there were
    int64_t num_added_ = 0;        ///< rows, to arranged groups
    int64_t num_to_pass_ = 0;      ///< how many of the next rows are not grouped
    int64_t bytes_of_group_ = 0;   ///< of those that were written last
    std::vector<StateRows> rows_;  ///< that were not grouped
    int64_t num_rows_ = 0;
    int64_t row_bytes_ = 0;
    std::unique_ptr<spill::BlockWriter> writer_;  ///< of the file that its groups go to
  };

  /// @param result where groups come together that stay in memory
  AggregateSpill(std::shared_ptr<const plan::Aggregate> node, std::shared_ptr<GroupedStates> result,
                 const execution::OperatorContext& ctx, std::shared_ptr<spill::SpillTarget> target);

  /// @param counts whether it runs beside others
  std::shared_ptr<Worker> add_worker(bool counts);
  /// Returns the context whose memory a worker's groups, and what else it keeps, lie in.
  execution::OperatorContext context_of(const Worker& worker) const;
  /// Gives a worker's groups to `work`, and the number of their set: another one, without groups, where those before
  /// were written or arranged. `work` is called again where memory is short, maybe with another set. A step, or a part
  /// of one that is repeated.
  void with_groups(Worker& worker, const std::function<void(GroupSet& groups, int64_t set)>& work);
  /// Takes the rows of a batch, in which keys and arguments were evaluated, to disk as groups of their own where groups
  /// go there and hardly any two rows of late had the same key; else returns false. A step, or a part of one.
  bool try_to_pass(Worker& worker, const columns::Batch& batch);
  /// Called after each batch: writes or arranges groups where it is time. A step.
  void settle(Worker& worker);
  /// Takes over what a worker has. A step.
  void end(Worker& worker);
  /// Waits for who writes a worker's groups, and has nobody do so any more: what they refer to may go then.
  void leave(Worker& worker);

  /// Called when all workers have ended: brings the groups to the result if they stay in memory.
  /// @param promised_bytes of the memory that is left, to others
  void finish(int64_t promised_bytes);
  /// Returns what merging takes of groups that stay in memory, beside them, once complete.
  int64_t bytes_to_merge() const { return bytes_to_merge_; }
  /// Says how many tasks write what is not on disk, where something is.
  int64_t num_finish_tasks() const;
  /// Runs one of them. A step.
  void run_finish_task(int64_t task);
  /// Returns the groups on disk, once complete.
  std::shared_ptr<const StageRows> spilled() const;

  void reclaim() noexcept override;

 private:
  /// Groups of a worker that has ended, until they are written or brought to the result.
  struct Ended {
    std::mutex mutex;  ///< held while they are written: nothing that waits for memory holds it
    std::vector<ArrangedGroups> arranged;
    int64_t num_groups = 0;
    std::shared_ptr<memory::PrepaidMemory> memory;
    std::shared_ptr<memory::PrepaidMemory> writing;
  };

  void write(SpillingWorker& worker, const execution::Cancellation& cancellation) override;
  void write(std::span<const GroupSet* const> sets, int64_t num_groups, int64_t used_bytes,
             memory::PrepaidMemory& writing, std::unique_ptr<spill::BlockWriter>& writer,
             const execution::Cancellation& cancellation);
  void write(Ended& ended, const execution::Cancellation& cancellation);
  void write_groups(Worker& worker, const execution::Cancellation& cancellation);
  void write_rows(Worker& worker, const execution::Cancellation& cancellation);
  std::vector<std::shared_ptr<Ended>> ended() const;
  void arrange(Worker& worker);
  /// Returns how large blocks of groups are that take so many bytes.
  int64_t block_bytes_of(int64_t used_bytes) const;
  /// Returns what writing groups takes beside them.
  /// @param row_bytes of rows that are written as groups
  int64_t bytes_to_write(int64_t used_bytes, int64_t num_groups, int64_t row_bytes = 0) const;
  /// Says whether who merges and reads groups in memory has enough of it beside them.
  bool leaves_room(const std::vector<std::shared_ptr<Ended>>& all, int64_t promised_bytes);

  const std::shared_ptr<const plan::Aggregate> node_;
  const std::shared_ptr<GroupedStates> result_;
  const std::shared_ptr<SpilledGroups> spilled_;
  const int64_t key_bytes_;
  const int64_t least_bytes_;  ///< that writing takes
  const bool holds_rows_;
  std::vector<std::shared_ptr<Ended>> ended_;
  int64_t bytes_to_merge_ = 0;
};

}  // namespace accelerant::operators
