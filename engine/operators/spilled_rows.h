#pragma once

#include "execution/context.h"
#include "operators/spilled_merge.h"
#include "operators/stage_results.h"

#include <map>
#include <memory>
#include <mutex>

namespace accelerant::operators {

/// Sorted rows in files as other stages read them: a part is merged by one worker. Parts begin where those of the same
/// rows in memory do.
class SpilledStageRows final : public StageRows {
 public:
  SpilledStageRows(SpilledRuns runs, std::shared_ptr<const KeyOrder> order, const execution::OperatorContext& ctx,
                   std::shared_ptr<spill::SpillTarget> target)
      : runs_(std::move(runs)), order_(std::move(order)), ctx_(ctx), target_(std::move(target)) {}

  std::unique_ptr<Source> make_source(int index, int count) const override;

 private:
  /// Finds it once.
  SpilledPosition part_begin(int index, int count) const;

  const SpilledRuns runs_;
  const std::shared_ptr<const KeyOrder> order_;
  const execution::OperatorContext ctx_;
  const std::shared_ptr<spill::SpillTarget> target_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<int, int>, SpilledPosition> part_begins_;
};

}  // namespace accelerant::operators
