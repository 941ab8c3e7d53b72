#include "planner/sort_keys.h"

#include "plan/sort.h"
#include "planner/added_columns.h"
#include "planner/change_nodes.h"

#include <memory>

namespace accelerant::planner {

using plan::NodePtr;

namespace {

NodePtr put_keys_below(const NodePtr& node) {
  if (!node->is<plan::Sort>() || !node->as<plan::Sort>().computed_keys) return node;
  auto sort = std::make_shared<plan::Sort>(node->as<plan::Sort>());
  sort->inputs = {add_columns(sort->inputs.front(), *sort->computed_keys, "sort key", sort->plan_node)};
  sort->output = sort->inputs.front()->output;
  sort->computed_keys = nullptr;
  return choose_first_columns(sort, node->output, sort->plan_node);
}

}  // namespace

NodePtr put_sort_keys_below(const NodePtr& root) { return change_nodes(root, put_keys_below); }

}  // namespace accelerant::planner
