#include "planner/take_ordered.h"

#include "plan/limit.h"
#include "plan/project.h"
#include "plan/sort.h"
#include "plan/take_ordered.h"
#include "planner/change_nodes.h"

#include <memory>

namespace accelerant::planner {

using plan::NodePtr;

namespace {

NodePtr to_sorted_limit(const NodePtr& node) {
  if (!node->is<plan::TakeOrdered>()) return node;
  const auto& ordered = node->as<plan::TakeOrdered>();
  auto sort = std::make_shared<plan::Sort>();
  sort->keys = ordered.keys;
  sort->computed_keys = ordered.computed_keys;
  sort->inputs = ordered.inputs;
  sort->output = ordered.inputs.front()->output;
  auto limit = std::make_shared<plan::Limit>();
  limit->limit = ordered.limit;
  limit->offset = ordered.offset;
  limit->inputs = {sort};
  limit->output = sort->output;
  auto project = std::make_shared<plan::Project>();
  project->program = ordered.program;
  project->inputs = {limit};
  project->output = ordered.output;
  sort->plan_node = limit->plan_node = project->plan_node = ordered.plan_node;
  return project;
}

}  // namespace

NodePtr take_ordered_apart(const NodePtr& root) { return change_nodes(root, to_sorted_limit); }

}  // namespace accelerant::planner
