#pragma once

#include "execution/context.h"
#include "operators/operator.h"
#include "operators/output_queue.h"

#include <memory>

namespace accelerant::operators {

/// Ends a query: gathers what is selected, joins small batches of a morsel and hands them to the consumer's queue in
/// order. Raises expression errors of rows that reach it.
class ResultSink final : public Sink {
 public:
  ResultSink(std::shared_ptr<OutputQueue> queue, const execution::OperatorContext& ctx)
      : queue_(std::move(queue)), ctx_(ctx) {}

  std::string_view name() const override { return "Result"; }
  std::unique_ptr<State> make_state() override;
  Step consume(State& state, columns::Batch& in) override;
  Step combine(State&) override { return Step::finished(); }
  Step finish() override { return Step::finished(); }

 private:
  const std::shared_ptr<OutputQueue> queue_;
  const execution::OperatorContext ctx_;
};

}  // namespace accelerant::operators
