#include "plan/local_limit.h"
#include "plan/operator_rules.h"

#include <memory>
#include <utility>

namespace accelerant::plan {

Relation LocalLimit::bind(Binding& binding, NodeFields& fields) {
  auto node = std::make_shared<LocalLimit>();
  node->limit = fields.take_integer("limit");
  Relation input = binding.input(fields.take_node("child"));
  fields.ignore("output");
  fields.finish();
  stand_above(input, std::move(node), fields.index());
  return input;
}

}  // namespace accelerant::plan
