#pragma once

#include "memory/budget.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace accelerant::columns {
class Column;
}

namespace accelerant::expressions {
class ExternalFunction;
class KeySet;
class Program;
}  // namespace accelerant::expressions

namespace accelerant::execution {

/// Set once, seen by every worker of a query. Looks at it are what a step's stretches are counted between (StepTimer).
class Cancellation {
 public:
  void cancel() { cancelled_.store(true, std::memory_order_release); }
  bool is_cancelled() const;
  /// Throws Error{Cancelled} when cancelled.
  void check() const;

 private:
  std::atomic<bool> cancelled_{false};
};

/// Counters of one plan node, of all workers.
struct Metrics {
  std::atomic<int64_t> output_rows{0};
  std::atomic<int64_t> output_batches{0};
  std::atomic<int64_t> cpu_nanos{0};
  std::atomic<int64_t> input_bytes{0};
  std::atomic<int64_t> input_files{0};
  std::atomic<int64_t> device_rows{0};   ///< of a scan: rows that a device took in
  std::atomic<int64_t> input_rows{0};    ///< of a scan of files: before its filters
  std::atomic<int64_t> morsels_done{0};  ///< of a scan: read to their end, or found to have no wanted row
  /// The most CPU time of a thread between two looks at cancellation: how long who cancels may have to wait.
  std::atomic<int64_t> longest_step_nanos{0};

  void count_output(int64_t rows) {
    output_rows.fetch_add(rows, std::memory_order_relaxed);
    output_batches.fetch_add(1, std::memory_order_relaxed);
  }
  void count_stretch(int64_t nanos) {
    int64_t longest = longest_step_nanos.load(std::memory_order_relaxed);
    while (nanos > longest && !longest_step_nanos.compare_exchange_weak(longest, nanos, std::memory_order_relaxed)) {
    }
  }
};

/// What programs take from outside, by the numbers that they have for it. Set before any reader starts.
struct Parameters {
  std::unordered_map<int, std::shared_ptr<const columns::Column>> values;  ///< flat columns of length 1
  std::unordered_map<int, std::shared_ptr<const expressions::ExternalFunction>> functions;
};

/// What a join wants of a source's rows: those whose value is not in the set find no partner.
struct KeyFilter {
  int column;  ///< position in what the source emits
  std::shared_ptr<const expressions::KeySet> keys;
};

/// What an operator gets from the engine around it. Owned by the running query, outlives the operator's states.
struct OperatorContext {
  std::shared_ptr<memory::Budget> budget;  ///< the operator's own, a child of the query's
  const Cancellation* cancellation;
  Metrics* metrics;
  int plan_node;                                           ///< index in the plan message
  int64_t batch_rows;                                      ///< rows a source aims for in a batch
  std::shared_ptr<const Parameters> parameters = nullptr;  ///< nullptr: none
  /// Conditions on a source's columns that were found while the query ran. It may leave out rows for which one is not
  /// true, or emit them: they do not count.
  std::vector<std::shared_ptr<const expressions::Program>> runtime_filters = {};
  /// Likewise, rows that a source may leave out.
  std::vector<KeyFilter> key_filters = {};
};

}  // namespace accelerant::execution
