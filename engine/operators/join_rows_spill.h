#pragma once

#include "operators/spilled_join_rows.h"
#include "operators/worker_spill.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace accelerant::operators {

/// The rows of one side of a join that workers hold, which go to disk where memory is short.
class JoinRowsSpill final : public WorkerSpill {
 public:
  /// The rows of a worker.
  class Worker final : public SpillingWorker {
   public:
    using SpillingWorker::SpillingWorker;
    bool is_empty() const override { return rows_.empty(); }

   private:
    friend class JoinRowsSpill;

    std::vector<HashedRows> rows_;
    int64_t num_rows_ = 0;
    int64_t num_bytes_ = 0;                       ///< of their columns
    std::unique_ptr<spill::BlockWriter> writer_;  ///< of the file that its rows go to
  };

  /// @param to where rows go that are written
  /// @param most_bytes what a worker holds at most of several batches
  JoinRowsSpill(std::shared_ptr<SpilledJoinRows> to, int64_t most_bytes, const execution::OperatorContext& ctx,
                std::shared_ptr<spill::SpillTarget> target);

  std::shared_ptr<Worker> add_worker();
  /// Takes rows that `make` makes in memory that is charged to the budget it is given; perhaps it is called again, and
  /// may make none. A step.
  /// @param expected_bytes what they take, about
  void take(Worker& worker, int64_t expected_bytes,
            const std::function<HashedRows(const std::shared_ptr<memory::Budget>&)>& make);
  /// Called when a worker takes nothing more. A step.
  void end(Worker& worker);

  // The next ones are called when all workers have ended.

  /// Hands over the rows of all workers, in no order; nullopt: not all are in memory, or `fits`, which is given all
  /// rows and the bytes that are prepaid for nothing else, says that they can't stay there.
  std::optional<std::vector<JoinTable::Chunk>> take_all(
      const std::function<bool(std::span<const HashedRows* const> rows, int64_t prepaid_bytes)>& fits);
  /// Takes back rows that were handed over, to be written.
  void take_back(std::vector<JoinTable::Chunk> chunks);
  /// Writes what is in memory. A step.
  void write_all();
  /// Gives back prepaid memory that has become free.
  void shrink();

  /// How many workers there were.
  int64_t num_workers() const { return WorkerSpill::num_workers(); }
  /// Says whether rows may go to disk.
  bool can_spill() const { return can_spill_; }
  const std::shared_ptr<spill::SpillTarget>& target() const { return target_; }

 private:
  void write(SpillingWorker& worker, const execution::Cancellation& cancellation) override;
  const std::shared_ptr<SpilledJoinRows> to_;
  const int64_t most_bytes_;
  std::vector<std::shared_ptr<Worker>> all_;
};

}  // namespace accelerant::operators
