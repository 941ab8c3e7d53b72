#pragma once

#include "memory/budget.h"

#include <atomic>
#include <cstdint>
#include <memory>

namespace accelerant::execution {

/// Set once, seen by every worker of a query.
class Cancellation {
 public:
  void cancel() { cancelled_.store(true, std::memory_order_release); }
  bool is_cancelled() const { return cancelled_.load(std::memory_order_acquire); }
  /// Throws Error{Cancelled} when cancelled.
  void check() const;

 private:
  std::atomic<bool> cancelled_{false};
};

/// Counters of one plan node, added to by all workers.
struct Metrics {
  std::atomic<int64_t> output_rows{0};
  std::atomic<int64_t> output_batches{0};
  std::atomic<int64_t> cpu_nanos{0};
  std::atomic<int64_t> input_bytes{0};
  std::atomic<int64_t> input_files{0};
};

/// What an operator gets from the engine around it. Owned by the running query, outlives the operator's states.
struct OperatorContext {
  std::shared_ptr<memory::Budget> budget;  ///< the operator's own, a child of the query's
  const Cancellation* cancellation;
  Metrics* metrics;
  int plan_node;       ///< index in the plan message
  int64_t batch_rows;  ///< rows a source aims for in a batch
};

}  // namespace accelerant::execution
