#include "planner/sort_keys.h"

#include "plan/project.h"
#include "plan/sort.h"
#include "planner/change_nodes.h"

#include <memory>
#include <utility>
#include <vector>

namespace accelerant::planner {

using expressions::ProgramBuilder;
using expressions::Slot;
using plan::NodePtr;

namespace {

std::vector<Slot> all_columns(ProgramBuilder& builder, const std::vector<plan::OutputColumn>& columns) {
  std::vector<Slot> slots;
  for (const plan::OutputColumn& column : columns) {
    slots.push_back(builder.input(static_cast<int>(slots.size()), column.type, column.nullable));
  }
  return slots;
}

std::shared_ptr<plan::Project> projection(int plan_node, const NodePtr& input) {
  auto node = std::make_shared<plan::Project>();
  node->plan_node = plan_node;
  node->inputs = {input};
  return node;
}

/// Returns a projection to a sort's input and, behind it, the keys.
NodePtr with_keys(const plan::Sort& sort) {
  auto node = projection(sort.plan_node, sort.inputs.front());
  ProgramBuilder builder;
  node->output = node->inputs.front()->output;
  std::vector<Slot> outputs = all_columns(builder, node->output);
  const auto places = plan::in_place(outputs.size());
  for (const Slot key : builder.include_all(*sort.computed_keys, places)) {
    outputs.push_back(key);
    node->output.push_back({"sort key", builder.type(key), builder.nullable(key)});
  }
  node->program = std::move(builder).finish(outputs);
  return node;
}

NodePtr put_below(const NodePtr& node) {
  if (!node->is<plan::Sort>() || !node->as<plan::Sort>().computed_keys) return node;
  auto sort = std::make_shared<plan::Sort>(node->as<plan::Sort>());
  sort->inputs = {with_keys(*sort)};
  sort->output = sort->inputs.front()->output;
  sort->computed_keys = nullptr;
  auto choice = projection(sort->plan_node, sort);
  ProgramBuilder builder;
  const std::vector<Slot> outputs = all_columns(builder, node->output);
  choice->output = node->output;
  choice->program = std::move(builder).finish(outputs);
  return choice;
}

}  // namespace

NodePtr put_sort_keys_below(const NodePtr& root) { return change_nodes(root, put_below); }

}  // namespace accelerant::planner
