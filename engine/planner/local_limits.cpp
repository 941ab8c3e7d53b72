#include "planner/local_limits.h"

#include "plan/limit.h"
#include "plan/local_limit.h"
#include "plan/top_k.h"
#include "plan/unbound.h"
#include "plan/union.h"
#include "planner/change_nodes.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

namespace accelerant::planner {

using plan::NodePtr;

namespace {

bool is_local_limit(const NodePtr& node) { return node->is<plan::LocalLimit>(); }

/// Returns how many rows a limit leaves, those skipped included; nullopt where it is no limit, or has none.
std::optional<int64_t> rows_wanted(const plan::Node& node) {
  if (node.is<plan::LocalLimit>()) return node.as<plan::LocalLimit>().limit;
  if (!node.is<plan::Limit>() || node.as<plan::Limit>().limit == plan::Limit::kAll) return std::nullopt;
  return node.as<plan::Limit>().limit + node.as<plan::Limit>().offset;
}

/// Drops a limit of each partition below a limit.
NodePtr limit_once(const NodePtr& node, plan::Verdict& verdict) {
  const std::optional<int64_t> rows = rows_wanted(*node);
  const auto& local = node->inputs.front()->as<plan::LocalLimit>();
  if (!rows || local.limit < *rows) {
    verdict.refuse_node(node->plan_node, "a limit of each partition that is lower than the limit of all");
    return plan::Unbound::in_place_of(*node);
  }
  const std::shared_ptr<plan::Node> changed = node->clone();
  changed->inputs = local.inputs;
  return changed;
}

/// Puts the lowest of the limits below a union above it, for a limit that may follow.
NodePtr limit_above(const NodePtr& both) {
  std::shared_ptr<plan::LocalLimit> lowest;
  const std::shared_ptr<plan::Node> changed = both->clone();
  for (NodePtr& input : changed->inputs) {
    if (!is_local_limit(input)) continue;
    const auto& local = input->as<plan::LocalLimit>();
    if (!lowest || local.limit < lowest->limit) lowest = std::make_shared<plan::LocalLimit>(local);
    input = NodePtr(input->inputs.front());
  }
  lowest->output = both->output;
  lowest->inputs = {changed};
  return lowest;
}

/// Makes of a limit of each partition one of all rows, or nothing.
NodePtr limit_all(const NodePtr& node) {
  const auto& local = node->as<plan::LocalLimit>();
  if (local.limit > plan::TopK::kMaxRows) return node->inputs.front();
  auto limit = std::make_shared<plan::Limit>();
  limit->plan_node = local.plan_node;
  limit->fused = local.fused;
  limit->output = local.output;
  limit->inputs = local.inputs;
  limit->limit = local.limit;
  return limit;
}

NodePtr replace_below(const NodePtr& node, plan::Verdict& verdict) {
  if (std::ranges::none_of(node->inputs, is_local_limit)) return node;
  if (node->is<plan::Limit>() || is_local_limit(node)) return limit_once(node, verdict);
  if (node->is<plan::Union>()) return limit_above(node);
  const std::shared_ptr<plan::Node> changed = node->clone();
  for (NodePtr& input : changed->inputs) {
    if (is_local_limit(input)) input = limit_all(input);
  }
  return changed;
}

}  // namespace

NodePtr replace_local_limits(const NodePtr& root, int root_plan_node, plan::Verdict& verdict) {
  const NodePtr replaced = change_nodes(root, [&](const NodePtr& node) { return replace_below(node, verdict); });
  if (is_local_limit(replaced) && !plan::has_unbound(*replaced)) {
    verdict.refuse_node(root_plan_node, plan::reason_against_end("a limit of each partition"));
  }
  return replaced;
}

}  // namespace accelerant::planner
