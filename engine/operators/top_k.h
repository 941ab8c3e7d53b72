#pragma once

#include "execution/context.h"
#include "memory/array.h"
#include "operators/buffered_rows.h"
#include "operators/sort_keys.h"
#include "operators/stage_results.h"
#include "operators/top_k_threshold.h"
#include "plan/top_k.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace accelerant::operators {

/// Keeps the first k rows in an order, k being the limit and the offset together. Rows of equal keys keep the order of
/// their morsels.
///
/// A worker collects rows until it has twice as many as it may keep (but at least some hundreds more) and then throws
/// the later half away; as long as there is no threshold, until it has more than it may keep. The last of k rows seen
/// by any worker is a threshold for all: rows whose keys come behind it are dropped unseen.
class TopKSink final : public Breaker {
 public:
  TopKSink(std::shared_ptr<const plan::TopK> node, const execution::OperatorContext& ctx);

  std::string_view name() const override { return "TopK"; }
  std::unique_ptr<State> make_state() override;
  Step consume(State& state, columns::Batch& in) override;
  Step combine(State& state) override;
  Step finish() override;
  void hand_on(const plan::Node& node, StageResults& results) override;
  /// Bounds first keys that are integers, dates or timestamps.
  std::shared_ptr<const expressions::KeySet> first_key_bound() const override { return threshold_.first_key_bound(); }

 private:
  /// Rows in the order in which their worker met them.
  struct Rows {
    explicit Rows(std::shared_ptr<memory::Budget> budget) : morsels(std::move(budget)) {}

    int64_t size() const { return morsels.size(); }

    std::vector<columns::Batch> batches;
    memory::Array<int64_t> morsels;  ///< by row
  };
  struct WorkerState;

  /// Adds a batch's rows that are not behind the threshold.
  void add(Rows& rows, columns::Batch& in) const;
  /// Throws all rows away but the first k, if there are more than `max_rows`.
  void shrink(Rows& rows, int64_t max_rows);

  const std::shared_ptr<const plan::TopK> node_;
  const execution::OperatorContext ctx_;
  const KeyOrder order_;
  const int64_t k_;
  const int64_t max_collected_rows_;
  const std::shared_ptr<BufferedRows> result_;
  TopKThreshold threshold_;
  std::mutex mutex_;
  Rows rows_;  ///< of all workers, after they combined
};

}  // namespace accelerant::operators
