#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "execution/event.h"
#include "operators/built_side.h"
#include "operators/join_rows_spill.h"
#include "operators/operator.h"
#include "plan/join.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace accelerant::operators {

/// Probe rows of a pipeline whose keys are among those of a build side that are on disk: they wait there until all rows
/// have passed the probe. Any thread.
class SetAsideRows {
 public:
  using Worker = JoinRowsSpill::Worker;

  /// @param built of which something is on disk
  SetAsideRows(std::shared_ptr<const plan::Join> node, const std::shared_ptr<BuiltSide>& built,
               const execution::OperatorContext& ctx);

  /// Returns what a worker sets rows aside with, which one gives back that probes no more.
  std::shared_ptr<Worker> borrow();
  void give_back(std::shared_ptr<Worker> worker);
  /// Takes a copy of rows of a batch. A step.
  void take(Worker& worker, const columns::Batch& batch, std::span<const int32_t> rows,
            std::span<const uint64_t> hashes);
  /// Brings all rows to disk, when all have passed; called by each who reads them. A step, whose event says when
  /// another worker that does so is done: nullptr where all are there.
  execution::EventPtr complete();
  const SpilledJoinRows& rows() const { return *written_; }

 private:
  /// Ends what one worker did for all; the others go on, and try it again where it failed.
  void end_completing(bool is_complete);

  const plan::ColumnMask columns_read_;
  const std::shared_ptr<SpilledJoinRows> written_;
  std::shared_ptr<JoinRowsSpill> spill_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<Worker>> given_back_;
  execution::EventPtr completing_;  ///< while a worker brings rows to disk
  bool is_complete_ = false;
};

}  // namespace accelerant::operators
