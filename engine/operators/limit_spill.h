#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "operators/worker_spill.h"
#include "spill/block_reader.h"
#include "spill/spill_target.h"
#include "types/data_type.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::operators {

/// Rows of a batch that a limit may emit: in memory, or as blocks of a file. Who has the lease of the worker that took
/// them brings them there.
struct LimitRows {
  struct Block {
    spill::StoredBlock stored;
    int64_t num_rows;
  };

  int64_t num_rows = 0;
  std::vector<columns::RowError> errors;    ///< by how many of the rows come before
  std::vector<columns::ColumnPtr> columns;  ///< in memory
  std::vector<Block> blocks;                ///< on disk
  std::vector<types::DataType> types = {};  ///< of the columns, once they are on disk
};

/// The rows of a limit that workers hold, which go to disk where memory is short. What nobody else holds is dropped.
class LimitSpill final : public WorkerSpill {
 public:
  /// What a worker has taken.
  class Worker final : public SpillingWorker {
   public:
    using SpillingWorker::SpillingWorker;
    bool is_empty() const override;

   private:
    friend class LimitSpill;

    std::vector<std::weak_ptr<LimitRows>> rows_;  ///< that are in memory
    int64_t num_bytes_ = 0;                       ///< of their columns
    int64_t largest_bytes_ = 0;                   ///< of one batch's
    int64_t bytes_to_write_ = 0;                  ///< what writing them takes beside them
  };

  LimitSpill(const execution::OperatorContext& ctx, std::shared_ptr<spill::SpillTarget> target);

  std::shared_ptr<Worker> add_worker();
  /// Takes a copy of a batch. A step.
  std::shared_ptr<const LimitRows> take(Worker& worker, const columns::Batch& in);
  /// Called when a worker takes nothing more. A step.
  void end(Worker& worker);

  // The next ones are called when all workers have ended.

  /// Says whether all rows have to go to disk, as some have gone, or as memory would be short for who reads them.
  bool must_complete();
  /// Writes what is in memory. A step.
  void complete();
  /// Leaves the rows where they are from now on.
  void settle();

 private:
  void write(SpillingWorker& worker, const execution::Cancellation& cancellation) override;
  std::shared_ptr<LimitRows> copy(Worker& worker, const columns::Batch& in);

  std::vector<std::shared_ptr<Worker>> all_;
};

}  // namespace accelerant::operators
