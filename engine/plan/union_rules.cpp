#include "base/error.h"
#include "plan/operator_rules.h"
#include "plan/union.h"

#include <algorithm>

namespace accelerant::plan {

namespace {

void check_types(const std::vector<OutputColumn>& columns, const std::vector<Attribute>& expected) {
  if (columns.size() != expected.size()) throw_unsupported("inputs of different numbers of columns");
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].type == expected[i].column.type) continue;
    throw_unsupported("column " + expected[i].column.name + " of the types " + columns[i].type.to_string() + " and " +
                      expected[i].column.type.to_string());
  }
}

/// Takes an input. A limit of each of its partitions goes on to the limit above, which makes it superfluous.
Relation take_input(Binding& binding, int child, Relation& relation) {
  Relation input = binding.unfinished_input(child);
  const LocalLimit* local = input.local_limit();
  if (!local) {
    input.require_whole();
    return input;
  }
  if (!relation.local_limit() || local->rows < relation.local_limit()->rows) relation.completeness = *local;
  input.completeness = Whole();
  return input;
}

}  // namespace

Relation Union::bind(Binding& binding, NodeFields& fields) {
  const PlanMessage& message = binding.message();
  auto node = std::make_shared<Union>();
  node->plan_node = fields.index();
  Relation relation;
  relation.attributes = read_output(message, fields.index());
  for (const int child : fields.take_nodes("children")) {
    Relation input = take_input(binding, child, relation);
    close_scan(message, input);
    if (input.failed()) continue;
    node->inputs.push_back(give_out(message, std::move(input), fields.index()));
    check_types(node->inputs.back()->output, relation.attributes);
  }
  fields.ignore("output");
  fields.finish();
  node->output = columns_of(relation.attributes);
  relation.source = std::move(node);
  return relation;
}

}  // namespace accelerant::plan
