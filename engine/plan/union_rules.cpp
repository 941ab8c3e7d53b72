#include "base/error.h"
#include "plan/operator_rules.h"
#include "plan/union.h"

#include <algorithm>
#include <utility>

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
  if (!input.local_limit && !input.unfinished.empty()) throw_unsupported("over " + input.unfinished);
  if (input.local_limit) {
    if (!relation.local_limit || input.local_limit->rows < relation.local_limit->rows)
      relation.local_limit = input.local_limit;
    relation.unfinished = std::exchange(input.unfinished, "");
  }
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
    if (!input.node) throw_unsupported("over an operator that is unsupported");
    node->inputs.push_back(give_out(message, std::move(input), fields.index()));
    check_types(node->inputs.back()->output, relation.attributes);
  }
  fields.ignore("output");
  fields.finish();
  node->output = columns_of(relation.attributes);
  relation.node = std::move(node);
  return relation;
}

}  // namespace accelerant::plan
