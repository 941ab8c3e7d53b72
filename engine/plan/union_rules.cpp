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

}  // namespace

Relation Union::bind(Binding& binding, NodeFields& fields) {
  const PlanMessage& message = binding.message();
  auto node = std::make_shared<Union>();
  node->plan_node = fields.index();
  Relation relation;
  relation.attributes = read_output(message, fields.index());
  for (const int child : fields.take_nodes("children")) {
    const Relation input = binding.input(child);
    node->inputs.push_back(input.node);
    if (!input.failed) check_types(input.node->output, relation.attributes);
  }
  fields.ignore("output");
  fields.finish();
  node->output = columns_of(relation.attributes);
  relation.node = std::move(node);
  return relation;
}

}  // namespace accelerant::plan
