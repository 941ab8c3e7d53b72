#pragma once

#include "columns/batch.h"
#include "operators/limit_spill.h"
#include "operators/limited_rows.h"
#include "operators/stage_results.h"
#include "spill/spill_target.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>

namespace accelerant::operators {

/// Keeps `limit` rows after the first `offset`, in the order of morsels, and ends the pipeline as soon as it has them.
/// An error counts only if its row comes before the last row kept. Rows go to disk where memory is short.
class LimitSink final : public Breaker {
 public:
  /// @param limit rows to keep; negative: all
  LimitSink(int64_t limit, int64_t offset, const execution::OperatorContext& ctx,
            std::shared_ptr<spill::SpillTarget> target);

  std::string_view name() const override { return "Limit"; }
  std::unique_ptr<State> make_state() override;
  Step consume(State& state, columns::Batch& in) override;
  Step combine(State& state) override;
  Step finish() override;
  int64_t num_finish_tasks() const override { return must_complete_ ? 1 : 0; }
  Step run_finish_task(int64_t task) override;
  void hand_on(const plan::Node& node, StageResults& results) override;

 private:
  struct Morsel {
    std::deque<std::shared_ptr<const LimitRows>> batches;
    int64_t num_rows = 0;  ///< of all its batches
    bool ended = false;
  };

  bool satisfied() const { return limit_ >= 0 && kept_rows_ >= limit_; }
  /// Returns how many of some rows of a morsel may be wanted, which come next; under the lock.
  int64_t num_wanted(int64_t morsel, int64_t num_rows);
  /// Takes what has become next in order.
  void drain();
  void take(std::shared_ptr<const LimitRows> batch);

  const int64_t limit_;
  const int64_t offset_;
  const execution::OperatorContext ctx_;
  const std::shared_ptr<spill::SpillTarget> target_;
  const std::shared_ptr<LimitSpill> spill_;
  const std::shared_ptr<LimitedRows> result_;
  bool must_complete_ = false;  ///< some rows have to be written yet
  std::mutex mutex_;
  std::map<int64_t, Morsel> waiting_;
  int64_t next_morsel_ = 0;
  int64_t skipped_rows_ = 0;
  int64_t kept_rows_ = 0;
};

}  // namespace accelerant::operators
