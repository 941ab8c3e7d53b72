#pragma once

#include "execution/context.h"
#include "operators/buffered_rows.h"
#include "operators/run_merge.h"
#include "operators/sort_keys.h"
#include "operators/stage_results.h"
#include "plan/sort.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace accelerant::operators {

/// Sorts all rows in memory: each worker its own, then all workers merge stretches of the result. Rows of equal keys
/// keep the order of their morsels. Parts of the result begin where keys change, if they can: the rows of a key may
/// come in another order in another run.
class SortSink final : public Breaker {
 public:
  SortSink(std::shared_ptr<const plan::Sort> node, const execution::OperatorContext& ctx);

  std::string_view name() const override { return "Sort"; }
  std::unique_ptr<State> make_state() override;
  Step consume(State& state, columns::Batch& in) override;
  void combine(State& state) override;
  void finish() override;
  int64_t num_finish_tasks() const override;
  void run_finish_task(int64_t task) override;
  void hand_on(const plan::Node& node, StageResults& results) override;

 private:
  columns::Batch gather(std::span<const RunRow> rows) const;

  const execution::OperatorContext ctx_;
  const std::shared_ptr<const KeyOrder> order_;
  const std::shared_ptr<BufferedRows> result_;
  std::mutex mutex_;
  SortedRuns runs_;  ///< until all finish tasks have run
  int64_t num_rows_ = 0;
  std::atomic<int64_t> finish_tasks_left_{0};
};

}  // namespace accelerant::operators
