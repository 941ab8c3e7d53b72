#include "planner/aggregate_steps.h"

#include "base/error.h"
#include "plan/local_sort.h"
#include "plan/merge_aggregate.h"
#include "plan/unbound.h"
#include "planner/change_nodes.h"
#include "planner/matched_steps.h"

#include <algorithm>
#include <string>

namespace accelerant::planner {

using plan::NodePtr;

namespace {

constexpr const char* kStep = "a partial aggregate";

/// Returns the step that a node is, or has below sorts that Spark put between steps; nullptr: none.
NodePtr step_at(NodePtr node) {
  while (node->is<plan::LocalSort>()) node = node->inputs.front();
  return plan::unended_step(*node) ? node : nullptr;
}

/// Refuses a node for a reason, if there is one, and puts what is nothing to others in its place.
NodePtr refuse(const NodePtr& node, const std::string& reason, plan::Verdict& verdict) {
  if (!reason.empty()) verdict.refuse_node(node->plan_node, reason);
  return plan::Unbound::in_place_of(*node);
}

/// Refuses a step without the one that has to stand below it, unless what stands there could not be bound.
NodePtr refuse_alone(const NodePtr& node, const char* reason, plan::Verdict& verdict) {
  return refuse(node, plan::has_unbound(*node) ? "" : reason, verdict);
}

NodePtr join_steps(const NodePtr& last, plan::Verdict& verdict) {
  MatchedSteps steps;
  steps.last = plan::node_as<plan::FinalAggregate>(last);
  NodePtr step = step_at(last->inputs.front());
  for (; step && step->is<plan::MergeAggregate>(); step = step_at(step->inputs.front())) {
    steps.merges.insert(steps.merges.begin(), step);
  }
  if (!step) return refuse_alone(last, "a final aggregate without its partial one", verdict);
  steps.lowest = plan::node_as<plan::PartialAggregate>(step);
  try {
    return aggregate_of(steps);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unsupported) throw;
    return refuse(last, error.message(), verdict);
  }
}

NodePtr join_below(const NodePtr& node, plan::Verdict& verdict) {
  if (node->is<plan::FinalAggregate>()) return join_steps(node, verdict);
  const bool is_above_step =
      std::ranges::any_of(node->inputs, [](const NodePtr& input) { return step_at(input) != nullptr; });
  if (node->is<plan::MergeAggregate>()) {
    if (is_above_step) return node;
    return refuse_alone(node, "a merge of aggregates without their partial ones", verdict);
  }
  if (!is_above_step || node->is<plan::LocalSort>() || node->is<plan::Unbound>()) return node;
  return refuse(node, std::string("over ") + kStep, verdict);
}

}  // namespace

NodePtr join_aggregate_steps(const NodePtr& root, int root_plan_node, plan::Verdict& verdict) {
  const NodePtr joined = change_nodes(root, [&](const NodePtr& node) { return join_below(node, verdict); });
  if (step_at(joined) && !plan::has_unbound(*joined)) {
    verdict.refuse_node(root_plan_node, plan::reason_against_end(kStep));
  }
  return joined;
}

}  // namespace accelerant::planner
