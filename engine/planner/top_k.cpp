#include "planner/top_k.h"

#include "plan/limit.h"
#include "plan/sort.h"
#include "plan/top_k.h"
#include "planner/change_nodes.h"

#include <memory>
#include <vector>

namespace accelerant::planner {

using plan::NodePtr;

namespace {

NodePtr combine(const NodePtr& node) {
  if (!node->is<plan::Limit>() || !node->inputs.front()->is<plan::Sort>()) return node;
  const auto& limit = node->as<plan::Limit>();
  const auto& sort = limit.inputs.front()->as<plan::Sort>();
  if (limit.limit <= 0 || limit.limit + limit.offset > plan::TopK::kMaxRows) return node;
  auto top_k = std::make_shared<plan::TopK>();
  top_k->plan_node = limit.plan_node;
  top_k->fused = limit.fused;
  for (const int plan_node : sort.fused) top_k->fused.push_back(plan_node);
  top_k->fused.push_back(sort.plan_node);
  std::erase(top_k->fused, limit.plan_node);
  top_k->output = limit.output;
  top_k->inputs = sort.inputs;
  top_k->keys = sort.keys;
  top_k->limit = limit.limit;
  top_k->offset = limit.offset;
  return top_k;
}

}  // namespace

NodePtr make_top_k(const NodePtr& root) { return change_nodes(root, combine); }

}  // namespace accelerant::planner
