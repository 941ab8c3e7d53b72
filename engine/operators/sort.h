#pragma once

#include "execution/context.h"
#include "operators/sort_keys.h"
#include "operators/sort_spill.h"
#include "operators/sorted_rows.h"
#include "operators/stage_results.h"
#include "plan/sort.h"

#include <memory>

namespace accelerant::operators {

/// Sorts all rows: each worker its own; who reads them merges. Rows of equal keys keep the order of their morsels.
/// Parts of the result begin where keys change, if they can: the rows of a key may come in another order in another
/// run.
class SortSink final : public Breaker {
 public:
  /// @param target where rows go that memory is too short for
  SortSink(std::shared_ptr<const plan::Sort> node, const execution::OperatorContext& ctx,
           std::shared_ptr<spill::SpillTarget> target, SortReaders readers = {});

  std::string_view name() const override { return "Sort"; }
  std::unique_ptr<State> make_state() override;
  Step consume(State& state, columns::Batch& in) override;
  Step combine(State& state) override;
  Step finish() override;
  int64_t num_finish_tasks() const override { return spill_->has_spilled() ? 1 : 0; }
  Step run_finish_task(int64_t task) override;
  /// Leaves to a worker, which goes on, the rows that readers may want. Returns how many it has then in memory. A step.
  int64_t prune(State& state);
  void hand_on(const plan::Node& node, StageResults& results) override;
  /// Returns the result, once finished; nullptr where it is on disk.
  const std::shared_ptr<const SortedRows>& sorted() const { return sorted_; }
  /// Returns the result on disk, once complete, as SortSpill does.
  std::shared_ptr<const SpilledParts> spilled(size_t num_keys) const { return spill_->spilled(num_keys); }

 private:
  const std::shared_ptr<const plan::Sort> node_;
  const execution::OperatorContext ctx_;
  const std::shared_ptr<const KeyOrder> order_;
  const std::shared_ptr<SortSpill> spill_;
  std::shared_ptr<const SortedRows> sorted_;  ///< once all workers have sorted; nullptr where they are on disk
};

}  // namespace accelerant::operators
