#include "operators/window.h"

#include "functions/error_codes.h"
#include "operators/call_accumulator.h"
#include "operators/rank_limit.h"
#include "operators/spilled_window_rows.h"
#include "operators/window_stream.h"
#include "operators/windowed_rows.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

namespace {

std::shared_ptr<const plan::Sort> sort_of(const plan::Window& window) {
  auto sort = std::make_shared<plan::Sort>();
  sort->keys = window.keys;
  return sort;
}

/// Batches of a worker that are worth a look for rows that no one wants.
constexpr int64_t kBatchesToPrune = 4;

/// Returns what it takes to compute as many rows as have to be computed at a time, beside all rows in memory; 0 where
/// there is enough for all rows, or all of a partition has to be in memory anyway.
int64_t bytes_to_read(const plan::Window& node, const SortedRuns& runs, const execution::OperatorContext& ctx,
                      int64_t bytes_left) {
  if (runs.empty() || !WindowReach(node).can_stream) return 0;
  int64_t num_rows = 0;
  int64_t num_bytes = 0;
  for (const auto& run : runs) {
    num_rows += run->num_rows();
    for (const int column : columns_of_window(node)) {
      num_bytes += run->columns()[static_cast<size_t>(column)]->memory_bytes();
    }
  }
  if (bytes_to_compute(node, num_rows, num_bytes) <= bytes_left) return 0;
  const int64_t most = most_rows_of_morsel(runs, node.num_partition_keys, num_rows, ctx);
  return bytes_to_compute(node, most, num_bytes / std::max<int64_t>(num_rows, 1) * most);
}

SortSink sort_for(const std::shared_ptr<const plan::Window>& node, const execution::OperatorContext& ctx,
                  const std::shared_ptr<spill::SpillTarget>& target) {
  SortReaders readers;
  readers.bytes_to_read = [node, ctx, target](const SortedRuns& runs) {
    return bytes_to_read(*node, runs, ctx, target->bytes_left());
  };
  if (node->limit) {
    readers.prune = [node](const SortedRun& run, const execution::OperatorContext& memory) {
      return limited(run, *node->limit, node->num_partition_keys, memory);
    };
  }
  return SortSink(sort_of(*node), ctx, target, std::move(readers));
}

bool has_values_for_bounds(const plan::Window& node) {
  return std::ranges::any_of(node.calls, [](const plan::WindowCall& call) {
    return call.frame.lower.kind == plan::FrameBound::Kind::Value ||
           call.frame.upper.kind == plan::FrameBound::Kind::Value;
  });
}

/// Leaves rows in error to Spark: what fails may be the bound of a frame, which is no expression of Spark's.
void leave_to_spark(columns::Batch& batch) {
  for (columns::RowError& error : batch.errors) error.code |= functions::kNeedsSpark;
}

struct WindowState final : State {
  std::unique_ptr<State> sort;
  int64_t num_rows = 0;   ///< that it has taken since it was last looked for unwanted ones
  int64_t num_kept = 0;   ///< that were left then
  bool is_taken = false;  ///< the batch at hand is among them
};

}  // namespace

WindowSink::WindowSink(std::shared_ptr<const plan::Window> node, const execution::OperatorContext& ctx,
                       const std::shared_ptr<spill::SpillTarget>& target)
    : node_(std::move(node)), ctx_(ctx), sort_(sort_for(node_, ctx, target)) {
  // What there is no accumulator for is refused now.
  for (const plan::WindowCall& call : node_->calls) {
    if (call.kind == plan::WindowKind::Aggregate) make_call_accumulator(call.aggregate, ctx);
  }
}

std::unique_ptr<State> WindowSink::make_state() {
  auto state = std::make_unique<WindowState>();
  state->sort = sort_.make_state();
  return state;
}

// As many rows come in between two looks as were left by the last one, so that a row is sorted a few times at most.
Step WindowSink::consume(State& state, columns::Batch& in) {
  auto& worker = static_cast<WindowState&>(state);
  if (!worker.is_taken) {
    if (has_values_for_bounds(*node_)) leave_to_spark(in);
    if (Step step = sort_.consume(*worker.sort, in); step.kind == Step::Kind::Suspended) return step;
    worker.num_rows += in.num_selected();
    worker.is_taken = true;
  }
  if (node_->limit && worker.num_rows >= std::max(kBatchesToPrune * ctx_.batch_rows, worker.num_kept)) {
    worker.num_kept = sort_.prune(*worker.sort);
    worker.num_rows = 0;
  }
  worker.is_taken = false;
  return Step::needs_input();
}

Step WindowSink::combine(State& state) { return sort_.combine(*static_cast<WindowState&>(state).sort); }

void WindowSink::hand_on(const plan::Node& node, StageResults& results) {
  if (sort_.sorted()) {
    results.rows.emplace(&node, std::make_shared<WindowedStageRows>(node_, sort_.sorted(), ctx_));
  } else {
    results.rows.emplace(&node,
                         std::make_shared<SpilledWindowRows>(node_, sort_.spilled(node_->num_partition_keys), ctx_));
  }
}

}  // namespace accelerant::operators
