#pragma once

#include "execution/context.h"
#include "operators/sort.h"
#include "operators/stage_results.h"
#include "plan/window.h"

#include <memory>

namespace accelerant::operators {

/// Sorts all rows by the keys of a window, as SortSink does. Who reads them computes the functions, window partition by
/// window partition; parts of the result begin where one begins. Rows go to disk where memory is short. Of a window
/// with a limit a worker sorts its rows when there are many, and keeps those that may be wanted.
class WindowSink final : public Breaker {
 public:
  /// @throws Error Unsupported for a function whose arguments it can't tell apart
  WindowSink(std::shared_ptr<const plan::Window> node, const execution::OperatorContext& ctx,
             const std::shared_ptr<spill::SpillTarget>& target);

  std::string_view name() const override { return "Window"; }
  std::unique_ptr<State> make_state() override;
  Step consume(State& state, columns::Batch& in) override;
  Step combine(State& state) override;
  Step finish() override { return sort_.finish(); }
  int64_t num_finish_tasks() const override { return sort_.num_finish_tasks(); }
  Step run_finish_task(int64_t task) override { return sort_.run_finish_task(task); }
  void hand_on(const plan::Node& node, StageResults& results) override;

 private:
  const std::shared_ptr<const plan::Window> node_;
  const execution::OperatorContext ctx_;
  SortSink sort_;
};

}  // namespace accelerant::operators
