#include "base/error.h"
#include "plan/limit.h"
#include "plan/operator_rules.h"
#include "plan/sort.h"
#include "plan/top_k.h"

#include <string>
#include <utility>

namespace accelerant::plan {

namespace {

/// Makes a TopK of a limit above a sort; nullptr where there is no sort, or too many rows are wanted.
std::shared_ptr<TopK> top_k(const Relation& input, int64_t limit, int64_t offset) {
  const auto sort = node_as<Sort>(input.node());
  if (!sort || limit <= offset || limit > TopK::kMaxRows) return nullptr;
  auto node = std::make_shared<TopK>();
  node->keys = sort->keys;
  node->limit = limit - offset;
  node->offset = offset;
  node->inputs = sort->inputs;
  node->fused = sort->fused;
  node->fused.push_back(sort->plan_node);
  return node;
}

std::shared_ptr<Limit> plain_limit(const Relation& input, int64_t limit, int64_t offset) {
  auto node = std::make_shared<Limit>();
  node->limit = limit < 0 ? Limit::kAll : limit - offset;
  node->offset = offset;
  node->inputs = {input.node()};
  return node;
}

}  // namespace

Relation limit(const PlanMessage& message, Relation input, int64_t limit, int64_t offset, int plan_node) {
  if (limit < -1 || offset < 0 || (limit >= 0 && limit < offset)) {
    throw_unsupported("limit " + std::to_string(limit) + " with offset " + std::to_string(offset));
  }
  close_scan(message, input);
  std::shared_ptr<Node> node = top_k(input, limit, offset);
  if (!node) node = plain_limit(input, limit, offset);
  node->plan_node = plan_node;
  std::erase(node->fused, plan_node);
  node->output = node_columns(input);
  input.put_above(std::move(node));
  return input;
}

void finish_local_limit(const PlanMessage& message, Relation& relation) {
  if (!relation.local_limit()) return;
  const LocalLimit local = *relation.local_limit();
  relation.completeness = Whole();
  // A limit holds its rows; more than a TopK holds may cost more than they spare.
  if (local.rows <= TopK::kMaxRows) relation = limit(message, std::move(relation), local.rows, 0, local.plan_node);
}

namespace {

/// Takes what a limit stands above. A limit of each partition there only spares work.
Relation take_limited(Binding& binding, int child, int64_t rows) {
  Relation input = binding.unfinished_input(child);
  if (const LocalLimit* local = input.local_limit()) {
    if (rows < 0 || local->rows < rows)
      throw_unsupported("a limit of each partition that is lower than the limit of all");
    input.completeness = Whole();
  }
  input.require_whole();
  return input;
}

}  // namespace

Relation Limit::bind(Binding& binding, NodeFields& fields) {
  const int64_t rows = fields.take_integer("limit");
  const int64_t offset = fields.take_integer("offset");
  Relation input = take_limited(binding, fields.take_node("child"), rows);
  fields.ignore("output");
  fields.finish();
  return plan::limit(binding.message(), std::move(input), rows, offset, fields.index());
}

Relation Limit::bind_local(Binding& binding, NodeFields& fields) {
  const int64_t rows = fields.take_integer("limit");
  Relation input = take_limited(binding, fields.take_node("child"), rows);
  input.distinct.reset();
  input.completeness = LocalLimit{fields.index(), rows};
  fields.ignore("output");
  fields.finish();
  return input;
}

}  // namespace accelerant::plan
