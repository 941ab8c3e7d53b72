#pragma once

#include "execution/context.h"
#include "memory/budget.h"
#include "memory/prepaid_memory.h"
#include "spill/spill_target.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace accelerant::operators {

/// What a worker of an operator holds until it is written to disk, and who has it at the moment.
class SpillingWorker {
 public:
  explicit SpillingWorker(const std::shared_ptr<memory::Budget>& payer)
      : memory_(memory::PrepaidMemory::create(payer)) {}
  virtual ~SpillingWorker() = default;
  SpillingWorker(const SpillingWorker&) = delete;
  SpillingWorker& operator=(const SpillingWorker&) = delete;

  /// Says whether there is nothing to write.
  virtual bool is_empty() const = 0;

 protected:
  const std::shared_ptr<memory::PrepaidMemory>& memory() const { return memory_; }

 private:
  friend class WorkerSpill;
  friend class WorkerLease;

  const std::shared_ptr<memory::PrepaidMemory> memory_;
  std::atomic<bool> is_busy_{false};     ///< somebody works with it
  std::atomic<bool> asks_{false};        ///< its worker, who is busy with it, waits for memory
  std::atomic<bool> must_spill_{false};  ///< as soon as nobody is busy with it
  std::mutex spilling_;                  ///< held while it is written: nothing that waits for memory holds it
};

/// Has what a worker holds to itself.
class WorkerLease {
 public:
  /// Waits for who has it, but for one that asks for memory.
  explicit WorkerLease(SpillingWorker& worker);
  WorkerLease(const WorkerLease&) = delete;
  WorkerLease& operator=(const WorkerLease&) = delete;
  ~WorkerLease();

  bool is_held() const { return is_held_; }
  /// Never ends it.
  void keep() { is_held_ = false; }

 private:
  SpillingWorker& worker_;
  bool is_held_ = false;
};

/// Returns how large blocks of something are that takes so many bytes: a few of them are in memory beside it.
int64_t spilled_block_bytes(int64_t num_bytes);
/// Returns likewise how large those are that are read by slices of hashes: a slice each, or a few where they take
/// little.
int64_t sliced_block_bytes(int64_t num_bytes);
/// Returns likewise how large those of one partition are, of rows that are dealt out to as many as there are: one or
/// two each, as each block costs two threads a wait.
int64_t dealt_block_bytes(int64_t num_bytes);

/// Workers whose rows go to disk where memory is short. What a worker holds lies in prepaid memory, and what writing it
/// takes is prepaid, too, so that it can be written when there is none. Who lacks memory writes its own; whoever else
/// of the query, or of the process, lacks some has that of all workers written, as it reclaims memory.
class WorkerSpill : public memory::MemoryReclaimer {
 public:
  /// Says whether something was written.
  bool has_spilled() const { return has_spilled_; }
  /// Writes what all workers hold.
  void reclaim() noexcept override;

 protected:
  WorkerSpill(const execution::OperatorContext& ctx, std::shared_ptr<spill::SpillTarget> target);

  /// Writes what a worker holds, which is something, and lets it go; or throws and leaves it. Draws from its memory.
  /// @param cancellation the query's; another one for those who are none of its workers, and may outlive it
  virtual void write(SpillingWorker& worker, const execution::Cancellation& cancellation) = 0;

  /// @param counts whether it runs beside others
  void enlist(const std::shared_ptr<SpillingWorker>& worker, bool counts = true);
  /// Waits for who has what a worker holds, and lets nobody have it any more.
  static void leave(SpillingWorker& worker);
  /// How many workers there were that count.
  int64_t num_workers() const { return num_workers_; }
  /// Returns the operator's context, in which some memory is drawn from.
  execution::OperatorContext context_of(memory::PrepaidMemory& memory,
                                        const execution::Cancellation& cancellation) const;

  // The next ones are called by who has a lease.

  /// Calls `make`, which draws from a worker's memory. Where that can't grow, it is called again once what the worker
  /// holds was written, or others were asked for memory.
  /// @param least_step how much they are asked for at first
  void with_memory(SpillingWorker& worker, int64_t least_step, const std::function<void()>& make);
  /// Prepays for so many bytes, in a memory of a worker's, and asks others for them.
  void grow(SpillingWorker& worker, memory::PrepaidMemory& memory, int64_t bytes);
  /// Writes what a worker holds, if it is something.
  void spill(SpillingWorker& worker, const execution::Cancellation& cancellation);
  /// Does so if somebody wanted it meanwhile, as part of no step that fails.
  void spill_if_wanted(SpillingWorker& worker);
  bool must_spill(const SpillingWorker& worker) const { return has_spilled_ || (can_spill_ && worker.must_spill_); }
  /// Calls `write` with how many of `count` rows or groups, which take so many bytes, make up a block of about
  /// `block_bytes`: with fewer as long as its memory is not enough, as some take more than others.
  static void write_in_blocks(int64_t count, int64_t num_bytes, int64_t block_bytes, memory::PrepaidMemory& memory,
                              const std::function<void(int64_t block_count)>& write);
  /// Has workers that hold far more than this one write it, after what they are at.
  void ask_larger_workers(const SpillingWorker& worker);

  const execution::OperatorContext ctx_;
  const std::shared_ptr<spill::SpillTarget> target_;
  const bool can_spill_;                 ///< there seemed to be a folder at the start
  const execution::Cancellation never_;  ///< for those who are no workers of the query
  std::atomic<bool> has_spilled_{false};
  mutable std::mutex mutex_;

 private:
  void try_to_spill(SpillingWorker& worker, const execution::Cancellation& cancellation) noexcept;
  std::vector<std::shared_ptr<SpillingWorker>> workers();

  std::atomic<bool> has_complained_{false};  ///< that it can't spill
  std::vector<std::weak_ptr<SpillingWorker>> workers_;
  int64_t num_workers_ = 0;
};

}  // namespace accelerant::operators
