#include "planner/fold_choices.h"

#include "plan/project.h"
#include "plan/scalar_value.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace accelerant::planner {

using plan::ColumnPositions;
using plan::Node;
using plan::NodePtr;

namespace {

/// A node, and where in its output the columns of the node are whose place it takes. Each is somewhere.
struct Folded {
  NodePtr node;
  ColumnPositions places;
};

Folded fold(const NodePtr& node);

NodePtr choose_folded(const Folded& folded, const Node& original) {
  expressions::ProgramBuilder builder;
  std::vector<expressions::Slot> outputs;
  for (size_t i = 0; i < original.output.size(); ++i) {
    outputs.push_back(builder.input(*folded.places[i], original.output[i].type, original.output[i].nullable));
  }
  auto choice = std::make_shared<plan::Project>();
  choice->plan_node = original.plan_node;
  choice->program = std::move(builder).finish(outputs);
  choice->output = original.output;
  choice->inputs = {folded.node};
  return choice;
}

/// Folds a tree whose columns have to be where they were, under their names.
NodePtr fold_in_place(const NodePtr& node) {
  const Folded folded = fold(node);
  if (folded.places != plan::in_place(folded.node->output.size())) return choose_folded(folded, *node);
  if (folded.node->output == node->output) return folded.node;
  std::shared_ptr<Node> renamed = folded.node->clone();
  renamed->output = node->output;
  return renamed;
}

bool contains(const std::vector<int>& plan_nodes, int plan_node) {
  return std::ranges::find(plan_nodes, plan_node) != plan_nodes.end();
}

/// Leaves out a choice of columns above what it was folded onto.
Folded leave_out(const plan::Project& choice, const Folded& below) {
  Folded folded{below.node, {}};
  for (int i = 0; i < choice.program->num_outputs(); ++i) {
    folded.places.push_back(below.places[static_cast<size_t>(*choice.program->input_of(i))]);
  }
  if (choice.plan_node == below.node->plan_node || contains(below.node->fused, choice.plan_node)) return folded;
  const std::shared_ptr<Node> standing_for_both = below.node->clone();
  standing_for_both->fused.push_back(choice.plan_node);
  folded.node = standing_for_both;
  return folded;
}

bool wants_columns_in_place(const Node& node) {
  return node.role == plan::Role::Concatenation || node.is<plan::ScalarValue>();
}

Folded fold(const NodePtr& node) {
  std::vector<NodePtr> inputs;
  std::vector<ColumnPositions> places;
  bool all_stay = true;
  for (const NodePtr& input : node->inputs) {
    const auto stays = plan::in_place(input->output.size());
    Folded folded = wants_columns_in_place(*node) ? Folded{fold_in_place(input), stays} : fold(input);
    all_stay &= folded.node == input && folded.places == stays;
    inputs.push_back(std::move(folded.node));
    places.push_back(std::move(folded.places));
  }
  if (node->is<plan::Project>() && node->as<plan::Project>().only_chooses()) {
    return leave_out(node->as<plan::Project>(), {inputs.front(), places.front()});
  }
  if (all_stay) return {node, plan::in_place(node->output.size())};
  const std::shared_ptr<Node> changed = node->clone();
  ColumnPositions own = changed->put_above(std::move(inputs), places);
  return {changed, std::move(own)};
}

}  // namespace

NodePtr fold_choices(const NodePtr& root) { return fold_in_place(root); }

}  // namespace accelerant::planner
