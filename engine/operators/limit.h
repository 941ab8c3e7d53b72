#pragma once

#include "execution/context.h"
#include "operators/buffered_rows.h"
#include "operators/stage_results.h"

#include <deque>
#include <map>
#include <memory>
#include <mutex>

namespace accelerant::operators {

/// Keeps `limit` rows after the first `offset`, in the order of morsels, and ends the pipeline as soon as it has them.
/// An error counts only if its row comes before the last row kept.
class LimitSink final : public Breaker {
 public:
  /// @param limit rows to keep; negative: all
  LimitSink(int64_t limit, int64_t offset, const execution::OperatorContext& ctx);

  std::string_view name() const override { return "Limit"; }
  std::unique_ptr<State> make_state() override { return std::make_unique<State>(); }
  Step consume(State& state, columns::Batch& in) override;
  Step combine(State&) override { return Step::finished(); }
  Step finish() override { return Step::finished(); }
  void hand_on(const plan::Node& node, StageResults& results) override;

 private:
  struct Morsel {
    std::deque<columns::Batch> batches;
    int64_t num_rows = 0;  ///< of all its batches, also of those that are too many to be kept
    bool ended = false;
  };

  bool satisfied() const { return limit_ >= 0 && kept_rows_ >= limit_; }
  /// Takes what has become next in order.
  void drain();
  void take(const columns::Batch& batch);

  const int64_t limit_;
  const int64_t offset_;
  const execution::OperatorContext ctx_;
  const std::shared_ptr<BufferedRows> result_;
  std::mutex mutex_;
  std::map<int64_t, Morsel> waiting_;
  int64_t next_morsel_ = 0;
  int64_t skipped_rows_ = 0;
  int64_t kept_rows_ = 0;
};

}  // namespace accelerant::operators
