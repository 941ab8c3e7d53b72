#include "planner/certain_sums.h"

#include "plan/aggregate.h"
#include "plan/row_order.h"
#include "plan/window.h"
#include "planner/change_nodes.h"

#include <memory>

namespace accelerant::planner {

using plan::NodePtr;

namespace {

NodePtr make_certain(const NodePtr& node) {
  if (const auto aggregate = plan::node_as<plan::Aggregate>(node)) {
    if (!aggregate->adds_few_in_order || plan::tells_order(*aggregate->inputs.front())) return node;
    auto exact = std::make_shared<plan::Aggregate>(*aggregate);
    exact->adds_few_in_order = false;
    return exact;
  }
  if (const auto window = plan::node_as<plan::Window>(node)) {
    if (!plan::order_varies(*window->inputs.front())) return node;
    auto exact = std::make_shared<plan::Window>(*window);
    for (plan::WindowCall& call : exact->calls) call.aggregate.exact = true;
    return exact;
  }
  return node;
}

}  // namespace

NodePtr make_sums_certain(const NodePtr& root) { return change_nodes(root, make_certain); }

}  // namespace accelerant::planner
