#include "operators/window.h"

#include "operators/call_accumulator.h"
#include "operators/windowed_rows.h"

#include <utility>

namespace accelerant::operators {

namespace {

std::shared_ptr<const plan::Sort> sort_of(const plan::Window& window) {
  auto sort = std::make_shared<plan::Sort>();
  sort->keys = window.keys;
  return sort;
}

}  // namespace

WindowSink::WindowSink(std::shared_ptr<const plan::Window> node, const execution::OperatorContext& ctx)
    : node_(std::move(node)), ctx_(ctx), sort_(sort_of(*node_), ctx) {
  // What there is no accumulator for is refused now.
  for (const plan::WindowCall& call : node_->calls) {
    if (call.kind == plan::WindowKind::Aggregate) make_call_accumulator(call.aggregate, ctx);
  }
}

void WindowSink::hand_on(const plan::Node& node, StageResults& results) {
  results.rows.emplace(&node, std::make_shared<WindowedStageRows>(node_, sort_.sorted(), ctx_));
}

}  // namespace accelerant::operators
