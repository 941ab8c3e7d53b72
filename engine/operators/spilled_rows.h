#pragma once

#include "execution/context.h"
#include "operators/spilled_merge.h"
#include "operators/stage_results.h"

#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace accelerant::operators {

/// Sorted rows in files, and where their parts begin: where those of the same rows in memory do. Any thread.
class SpilledParts {
 public:
  /// @param num_keys no part begins with a row that has the same in so many first keys as the row before
  SpilledParts(SpilledRuns runs, std::shared_ptr<const KeyOrder> order, size_t num_keys,
               const execution::OperatorContext& ctx, std::shared_ptr<spill::SpillTarget> target)
      : runs_(std::move(runs)),
        order_(std::make_shared<SpilledOrder>(std::move(order), runs_)),
        num_keys_(num_keys),
        ctx_(ctx),
        target_(std::move(target)) {}

  /// Returns where part `index` of `count` begins. Finds it once.
  SpilledPosition begin(int index, int count) const;
  /// Returns how many rows there are between two places.
  static int64_t count_rows(const SpilledPosition& begin, const SpilledPosition& end);
  /// Returns how many rows a batch that is read may have: consumers may keep many, and where memory is short blocks are
  /// small, and so are these.
  int64_t batch_rows() const;
  /// Begins to read the rows between two places.
  SpilledMerge read(const SpilledPosition& begin, const SpilledPosition& end) const;

  const execution::OperatorContext& context() const { return ctx_; }
  const KeyOrder& order() const { return order_->keys(); }
  const spill::SpillTarget& target() const { return *target_; }

 private:
  const SpilledRuns runs_;
  const std::shared_ptr<const SpilledOrder> order_;
  const size_t num_keys_;
  const execution::OperatorContext ctx_;
  const std::shared_ptr<spill::SpillTarget> target_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<int, int>, SpilledPosition> begins_;
};

/// Sorted rows in files as other stages read them. Workers take turns at reading: each takes the blocks' rows of a
/// morsel, and merges them while others read on.
class SpilledStageRows final : public StageRows {
 public:
  explicit SpilledStageRows(std::shared_ptr<const SpilledParts> parts) : parts_(std::move(parts)) {}

  std::unique_ptr<Source> make_source(int index, int count) const override;

 private:
  const std::shared_ptr<const SpilledParts> parts_;
};

}  // namespace accelerant::operators
