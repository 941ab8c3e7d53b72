#include "planner/distinct_steps.h"

#include "expressions/moved_program.h"
#include "plan/aggregate.h"
#include "plan/project.h"
#include "planner/change_nodes.h"

#include <memory>
#include <optional>
#include <set>

namespace accelerant::planner {

using plan::NodePtr;

namespace {

/// Says which columns of its input each of some outputs of a program is; nullopt where one is computed.
std::optional<std::set<int>> columns_of(const expressions::Program& program, size_t num_outputs) {
  std::set<int> columns;
  for (size_t i = 0; i < num_outputs; ++i) {
    const std::optional<int> column = program.input_of(static_cast<int>(i));
    if (!column) return std::nullopt;
    columns.insert(*column);
  }
  return columns;
}

/// Says whether no two rows of a node are equal in all columns: it gives all keys of its groups, or chooses them all.
bool gives_distinct_rows(const plan::Node& node) {
  const size_t num_columns = node.output.size();
  if (node.is<plan::Project>()) {
    const plan::Node& below = *node.inputs.front();
    const auto columns = columns_of(*node.as<plan::Project>().program, num_columns);
    return columns && columns->size() == below.output.size() && gives_distinct_rows(below);
  }
  if (!node.is<plan::Aggregate>()) return false;
  const auto& aggregate = node.as<plan::Aggregate>();
  const auto columns = columns_of(*aggregate.result, num_columns);
  return aggregate.calls.empty() && columns && columns->size() == aggregate.keys.size();
}

NodePtr choose_keys(const NodePtr& node) {
  if (!node->is<plan::Aggregate>() || !node->as<plan::Aggregate>().calls.empty()) return node;
  const auto& aggregate = node->as<plan::Aggregate>();
  const plan::Node& below = *aggregate.inputs.front();
  const auto keys = columns_of(*aggregate.input, aggregate.keys.size());
  if (!keys || keys->empty() || keys->size() != below.output.size() || !gives_distinct_rows(below)) return node;
  plan::ColumnPositions places;
  for (size_t key = 0; key < aggregate.keys.size(); ++key) {
    places.push_back(aggregate.input->input_of(static_cast<int>(key)));
  }
  auto choice = std::make_shared<plan::Project>();
  choice->plan_node = aggregate.plan_node;
  choice->fused = aggregate.fused;
  choice->output = aggregate.output;
  choice->inputs = aggregate.inputs;
  choice->program = expressions::moved(aggregate.result, places);
  return choice;
}

}  // namespace

NodePtr drop_distinct_steps(const NodePtr& root) { return change_nodes(root, choose_keys); }

}  // namespace accelerant::planner
