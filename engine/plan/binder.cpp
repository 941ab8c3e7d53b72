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

Judgement judge(const PlanMessage& message) {
  Binding binding(message);
  Judgement judgement;
  try {
    binding.run();
    judgement = {std::move(binding.verdict()), std::move(binding.plan())};
  } catch (const Error& error) {
    judgement.verdict.nodes.push_back(
        {message.root, operator_name(message.node(message.root).class_name), error.message()});
  }
  if (message.bridge) judgement.verdict.bridged = message.bridge->used();
  return judgement;
}

void throw_unless_supported(const Verdict& verdict) {
  if (verdict.supported) return;
  for (const NodeVerdict& node : verdict.nodes) {
    if (node.reason.empty()) continue;
    throw Error(ErrorKind::Unsupported, node.operator_name + ": " + node.reason).at_plan_node(node.plan_node);
  }
  const SettingVerdict& setting = verdict.settings.front();
  throw_unsupported("setting " + setting.name + ": " + setting.reason);
}

BoundPlan bind(const PlanMessage& message) {
  Judgement judgement = judge(message);
  throw_unless_supported(judgement.verdict);
  return std::move(judgement.plan);
}

}  // namespace accelerant::plan
