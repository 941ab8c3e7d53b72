#pragma once

#include "execution/context.h"
#include "operators/sort_keys.h"
#include "operators/sort_spill.h"
#include "operators/sorted_rows.h"
#include "operators/stage_results.h"
#include "plan/sort.h"

#include <functional>
#include <memory>
#include <mutex>

namespace accelerant::operators {

/// Sorts all rows: each worker its own; who reads them merges. Rows of equal keys keep the order of their morsels.
/// Parts of the result begin where keys change, if they can: the rows of a key may come in another order in another
/// run.
class SortSink final : public Breaker {
 public:
  /// Makes another run of a worker's, which holds all that its reader may want.
  using Prune = std::function<std::unique_ptr<const SortedRun>(std::unique_ptr<const SortedRun>)>;

  /// @param prune what becomes of each run; empty: it stays as it is
  SortSink(std::shared_ptr<const plan::Sort> node, const execution::OperatorContext& ctx, Prune prune = {});
  /// @param target where rows go that memory is too short for
  /// @param bytes_to_read what who reads the rows in memory needs beside them; empty: what is usual
  SortSink(std::shared_ptr<const plan::Sort> node, const execution::OperatorContext& ctx,
           std::shared_ptr<spill::SpillTarget> target, SortSpill::BytesToRead bytes_to_read = {});

  std::string_view name() const override { return "Sort"; }
  std::unique_ptr<State> make_state() override;
  Step consume(State& state, columns::Batch& in) override;
  Step combine(State& state) override;
  Step finish() override;
  int64_t num_finish_tasks() const override { return spill_ && spill_->has_spilled() ? 1 : 0; }
  Step run_finish_task(int64_t task) override;
  /// Leaves to a worker, which goes on, the rows that `prune` does. Returns how many it has then. A step.
  int64_t shrink(State& state);
  void hand_on(const plan::Node& node, StageResults& results) override;
  /// Returns the result, once finished; nullptr where it is on disk.
  const std::shared_ptr<const SortedRows>& sorted() const { return sorted_; }
  /// Returns the result on disk, once complete, as SortSpill does.
  std::shared_ptr<const SpilledParts> spilled(size_t num_keys) const { return spill_->spilled(num_keys); }

 private:
  std::unique_ptr<const SortedRun> make_run(State& state) const;

  const std::shared_ptr<const plan::Sort> node_;
  const execution::OperatorContext ctx_;
  const std::shared_ptr<const KeyOrder> order_;
  const Prune prune_;
  const std::shared_ptr<SortSpill> spill_;  ///< nullptr: all rows stay in memory
  std::mutex mutex_;
  SortedRuns runs_;                           ///< until all workers have sorted
  std::shared_ptr<const SortedRows> sorted_;  ///< from then on
};

}  // namespace accelerant::operators
