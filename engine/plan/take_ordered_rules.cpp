#include "plan/operator_rules.h"
#include "plan/take_ordered.h"

#include <memory>
#include <utility>

namespace accelerant::plan {

Relation TakeOrdered::bind(Binding& binding, NodeFields& fields) {
  const PlanMessage& message = binding.message();
  const int64_t rows = fields.take_integer("limit");
  const int64_t skipped = fields.take_integer("offset");
  const std::vector<int> orders = fields.take_nodes("sortOrder");
  const std::vector<int> expressions = fields.take_nodes("projectList");
  Relation input = binding.input(fields.take_node("child"));
  fields.ignore("output");
  fields.finish();
  auto node = std::make_shared<TakeOrdered>();
  node->plan_node = fields.index();
  node->inputs = {input.node};
  bind_order(message, input, orders, node->keys, node->computed_keys);
  node->limit = rows_after_offset(rows, skipped);
  node->offset = skipped;
  node->program = bind_projection(message, expressions, input.attributes);
  node->output = columns_of(input.attributes);
  input.node = std::move(node);
  return input;
}

}  // namespace accelerant::plan
