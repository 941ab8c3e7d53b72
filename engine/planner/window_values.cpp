#include "planner/window_values.h"

#include "plan/window.h"
#include "planner/added_columns.h"
#include "planner/change_nodes.h"

#include <memory>

namespace accelerant::planner {

using plan::NodePtr;

namespace {

NodePtr put_values_below(const NodePtr& node) {
  if (!node->is<plan::Window>() || !node->as<plan::Window>().computed) return node;
  auto window = std::make_shared<plan::Window>(node->as<plan::Window>());
  window->inputs = {add_columns(window->inputs.front(), *window->computed, "window value", window->plan_node)};
  window->computed = nullptr;
  return window;
}

}  // namespace

NodePtr put_window_values_below(const NodePtr& root) { return change_nodes(root, put_values_below); }

}  // namespace accelerant::planner
