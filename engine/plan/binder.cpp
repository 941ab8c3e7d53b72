#include "plan/binder.h"

#include "base/error.h"
#include "plan/binding.h"

#include <utility>

namespace accelerant::plan {

std::vector<NodePtr> roots_of(const BoundPlan& plan) {
  std::vector<NodePtr> roots = plan.subqueries;
  roots.push_back(plan.root);
  return roots;
}

BoundPlan bind(const PlanMessage& message) {
  Binding binding(message);
  binding.run();
  const Verdict& verdict = binding.verdict();
  if (verdict.supported) return std::move(binding.plan());
  for (const NodeVerdict& node : verdict.nodes) {
    if (!node.reason.empty())
      throw Error(ErrorKind::Unsupported, node.operator_name + ": " + node.reason).at_plan_node(node.plan_node);
  }
  const SettingVerdict& setting = verdict.settings.front();
  throw_unsupported("setting " + setting.name + ": " + setting.reason);
}

Verdict check(const PlanMessage& message) {
  Binding binding(message);
  try {
    binding.run();
    return std::move(binding.verdict());
  } catch (const Error& error) {
    Verdict verdict;
    verdict.nodes.push_back({message.root, operator_name(message.node(message.root).class_name), error.message()});
    return verdict;
  }
}

}  // namespace accelerant::plan
