#include "planner/asked_partitions.h"

#include "plan/aggregate.h"
#include "plan/broadcast.h"
#include "plan/exchange.h"
#include "plan/final_aggregate.h"
#include "plan/partial_aggregate.h"
#include "plan/sort.h"
#include "plan/unbound.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace accelerant::planner {

using plan::Asked;
using plan::NodePtr;

namespace {

/// What the operators above a node leave of its partitions.
struct Above {
  bool hides_numbers = false;     ///< how many there are, where they promise nothing of their rows
  bool hides_all = false;         ///< what rows are together, too
  bool keeps_single_one = false;  ///< to the result: a single partition of rows is one of the result
  bool calls_outside = false;     ///< by the workers that take in the node's rows, which are fewer where these are few
};

bool is_aggregate_step(const plan::Node& node) { return plan::unended_step(node) || node.is<plan::FinalAggregate>(); }

/// Says whether a node's rows depend on the order of those that it takes in.
bool depends_on_order(const plan::Node& node) {
  if (!is_aggregate_step(node)) return node.chooses_rows();
  return node.is<plan::PartialAggregate>() &&
         std::ranges::any_of(node.as<plan::PartialAggregate>().calls,
                             [](const plan::StepCall& step) { return step.call && step.call->is_order_sensitive(); });
}

/// Says whether code of the program around the engine computes anything of the rows that a node takes in.
bool calls_outside_of(const plan::Node& node) {
  return std::ranges::any_of(node.programs(), [](const auto& program) { return program && program->calls_outside(); });
}

Above beneath(const plan::Node& node, Above above) {
  if (node.is<plan::Unbound>()) return {};
  const bool spreads = node.is<plan::Exchange>() && node.as<plan::Exchange>().asked == Asked::Nothing;
  const bool is_spread = spreads || node.is<plan::Broadcast>();
  above.keeps_single_one = above.keeps_single_one && node.inputs.size() == 1 && !is_spread;
  const bool passes_on = node.role != plan::Role::Breaker;
  above.calls_outside = calls_outside_of(node) || (above.calls_outside && passes_on);
  const bool shows = depends_on_order(node);
  above.hides_all = !shows && (above.hides_all || node.is<plan::Sort>() || is_spread);
  above.hides_numbers = !shows && (above.hides_numbers || node.is<plan::Aggregate>() || is_aggregate_step(node));
  return above;
}

/// Says whether what stands below is made by all workers, whoever reads it.
bool is_made_by_all(const plan::Node& node) {
  if (node.is<plan::Unbound>()) return false;
  if (node.role == plan::Role::Transform) return is_made_by_all(*node.inputs.front());
  return node.role == plan::Role::Breaker;
}

class Settlement {
 public:
  Settlement(plan::BoundPlan& plan, plan::Verdict& verdict) : plan_(plan), verdict_(verdict) {}

  NodePtr settle(const NodePtr& node, Above above) {
    const Above here = beneath(*node, above);
    std::vector<NodePtr> inputs;
    for (const NodePtr& input : node->inputs) inputs.push_back(settle(input, here));
    NodePtr settled = node;
    if (inputs != node->inputs) {
      const std::shared_ptr<plan::Node> changed = node->clone();
      changed->inputs = std::move(inputs);
      settled = changed;
    }
    return node->is<plan::Exchange>() ? drop(settled, above) : settled;
  }

 private:
  NodePtr drop(const NodePtr& node, Above above) {
    const Asked asked = node->as<plan::Exchange>().asked;
    if (asked == Asked::Nothing) return node;
    const bool is_one = asked == Asked::One || (asked == Asked::OneOfAll && is_made_by_all(*node->inputs.front()));
    const bool becomes_one = is_one && above.keeps_single_one;
    if (becomes_one) plan_.is_in_one_part = true;
    const bool is_hidden = above.hides_all || (asked == Asked::Number && above.hides_numbers);
    if (becomes_one || (is_hidden && !above.calls_outside)) return node->inputs.front();
    verdict_.refuse_node(node->plan_node, "a repartition that the program asks for, whose partitions are Spark's");
    return plan::Unbound::in_place_of(*node);
  }

  plan::BoundPlan& plan_;
  plan::Verdict& verdict_;
};

}  // namespace

void settle_asked_partitions(plan::BoundPlan& plan, plan::Verdict& verdict) {
  Settlement settlement(plan, verdict);
  constexpr Above kResult = {.keeps_single_one = true};
  constexpr Above kValue = {.hides_all = true};
  if (plan.root) plan.root = settlement.settle(plan.root, kResult);
  for (NodePtr& subquery : plan.subqueries) subquery = settlement.settle(subquery, kValue);
  for (NodePtr& tree : plan.rest) tree = settlement.settle(tree, {});
}

}  // namespace accelerant::planner
