#include "planner/expand_order.h"

#include "plan/aggregate.h"
#include "plan/expand.h"
#include "planner/change_nodes.h"

#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace accelerant::planner {

using plan::NodePtr;

namespace {

/// Says whether a column is another constant in each projection.
bool tells_apart(const plan::Expand& expand, int column) {
  const auto columns = plan::in_place(expand.inputs.front()->output.size());
  expressions::ProgramBuilder builder;
  std::set<expressions::Slot> constants;
  for (const auto& projection : expand.projections) {
    const auto constant = projection->constant_of(column);
    if (!constant || constant->is_null(0)) return false;
    constants.insert(*builder.include(*projection, column, columns));
  }
  return constants.size() == expand.projections.size();
}

bool keeps_projections_apart(const plan::Aggregate& aggregate, const plan::Expand& expand) {
  for (size_t key = 0; key < aggregate.keys.size(); ++key) {
    const std::optional<int> column = aggregate.input->input_of(static_cast<int>(key));
    if (column && tells_apart(expand, *column)) return true;
  }
  return false;
}

NodePtr relax(const NodePtr& node) {
  if (!node->is<plan::Aggregate>() || !node->inputs.front()->is<plan::Expand>()) return node;
  const auto& aggregate = node->as<plan::Aggregate>();
  const auto& expand = aggregate.inputs.front()->as<plan::Expand>();
  if (expand.can_fail()) return node;  // the first error counts
  if ((aggregate.chooses_rows() || aggregate.adds_few_in_order) && !keeps_projections_apart(aggregate, expand))
    return node;
  auto unordered = std::make_shared<plan::Expand>(expand);
  unordered->in_row_order = false;
  auto above = std::make_shared<plan::Aggregate>(aggregate);
  above->inputs = {std::move(unordered)};
  return above;
}

}  // namespace

NodePtr relax_expand_order(const NodePtr& root) { return change_nodes(root, relax); }

}  // namespace accelerant::planner
