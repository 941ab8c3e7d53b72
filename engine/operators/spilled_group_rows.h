#pragma once

#include "execution/context.h"
#include "operators/grouped_states.h"
#include "operators/spilled_groups.h"
#include "operators/stage_results.h"

#include <cstdint>
#include <memory>

namespace accelerant::operators {

/// Groups of an aggregate in files as other stages read them: a partition a morsel, as many of its groups at a time as
/// fit into a worker's share of the memory that is left.
class SpilledGroupRows final : public StageRows {
 public:
  /// @param states of the aggregate, without groups
  SpilledGroupRows(std::shared_ptr<const SpilledGroups> groups, std::shared_ptr<const GroupedStates> states,
                   const execution::OperatorContext& ctx, std::shared_ptr<spill::SpillTarget> target,
                   int64_t num_workers)
      : groups_(std::move(groups)),
        states_(std::move(states)),
        ctx_(ctx),
        target_(std::move(target)),
        num_workers_(num_workers) {}

  std::unique_ptr<Source> make_source(int index, int count) const override;

 private:
  const std::shared_ptr<const SpilledGroups> groups_;
  const std::shared_ptr<const GroupedStates> states_;
  const execution::OperatorContext ctx_;
  const std::shared_ptr<spill::SpillTarget> target_;
  const int64_t num_workers_;
};

}  // namespace accelerant::operators
