#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "operators/stage_results.h"

#include <memory>
#include <mutex>

namespace accelerant::operators {

/// Takes in the one value that a scalar subquery gives.
class ScalarValueSink final : public Breaker {
 public:
  /// @param expression index in the plan message of the subquery expression; errors carry it
  ScalarValueSink(types::DataType type, int expression, const execution::OperatorContext& ctx)
      : type_(std::move(type)), expression_(expression), ctx_(ctx) {}

  std::string_view name() const override { return "ScalarValue"; }
  std::unique_ptr<State> make_state() override { return std::make_unique<State>(); }
  /// Throws Error User SCALAR_SUBQUERY_TOO_MANY_ROWS for a second row.
  Step consume(State& state, columns::Batch& in) override;
  Step combine(State&) override { return Step::finished(); }
  Step finish() override;
  /// Makes the value a parameter: flat and of length 1; null if there was no row.
  void hand_on(const plan::Node& node, StageResults& results) override;

 private:
  const types::DataType type_;
  const int expression_;
  const execution::OperatorContext ctx_;
  std::mutex mutex_;
  columns::ColumnPtr value_;
};

}  // namespace accelerant::operators
