#include "base/error.h"
#include "plan/operator_rules.h"
#include "plan/retyped_columns.h"
#include "plan/union.h"
#include "types/same_values.h"

#include <algorithm>

namespace accelerant::plan {

namespace {

/// Lets values within columns of a union be null where those of an input may.
void widen(std::vector<Attribute>& columns, const std::vector<OutputColumn>& input) {
  if (input.size() != columns.size()) throw_unsupported("inputs of different numbers of columns");
  for (size_t i = 0; i < columns.size(); ++i) {
    types::DataType& type = columns[i].column.type;
    if (!types::same_values(type, input[i].type)) {
      throw_unsupported("column " + columns[i].column.name + " of the types " + input[i].type.to_string() + " and " +
                        type.to_string());
    }
    type = types::null_as_either(type, input[i].type);
  }
}

}  // namespace

Relation Union::bind(Binding& binding, NodeFields& fields) {
  const PlanMessage& message = binding.message();
  auto node = std::make_shared<Union>();
  node->plan_node = fields.index();
  Relation relation;
  relation.attributes = read_output(message, fields.index());
  bool has_failed = false;
  for (const int child : fields.take_nodes("children")) {
    const Relation input = binding.input(child);
    node->inputs.push_back(input.node);
    has_failed |= input.failed;
    if (!input.failed) widen(relation.attributes, input.node->output);
  }
  fields.ignore("output");
  fields.finish();
  node->output = columns_of(relation.attributes);
  if (!has_failed) {
    for (NodePtr& input : node->inputs) input = retyped(input, node->output, node->plan_node);
  }
  relation.node = std::move(node);
  return relation;
}

}  // namespace accelerant::plan
