#include "plan/lambdas.h"

#include "base/error.h"
#include "plan/node_fields.h"

#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace accelerant::plan {

namespace {

/// The columns and the lambdas' variables below a lambda.
struct Leaves {
  std::vector<int> nodes;
  std::unordered_set<int64_t> declared;  ///< ids of the variables of this lambda and of those in it
};

int64_t id_of(const PlanMessage& message, int expression) {
  return NodeFields(message, expression).take_integer("exprId");
}

Leaves leaves_of(const PlanMessage& message, int lambda) {
  Leaves leaves;
  std::unordered_set<int> seen;
  std::vector<int> pending{lambda};
  while (!pending.empty()) {
    const int expression = pending.back();
    pending.pop_back();
    const std::string_view name = short_name(message.node(expression).class_name);
    if (name == "AttributeReference" || name == "NamedLambdaVariable") {
      leaves.nodes.push_back(expression);
      continue;
    }
    if (name == "LambdaFunction") {
      for (const int variable : NodeFields(message, expression).take_nodes("arguments")) {
        leaves.declared.insert(id_of(message, variable));
      }
    }
    for (const NamedValue& field : message.node(expression).fields) {
      for_each_node(field.value, [&](int child) {
        if (seen.insert(child).second) pending.push_back(child);
      });
    }
  }
  return leaves;
}

}  // namespace

std::vector<int> captured_by(const PlanMessage& message, int lambda) {
  const Leaves leaves = leaves_of(message, lambda);
  std::unordered_set<int64_t> passed = leaves.declared;
  std::vector<int> captured;
  for (const int leaf : leaves.nodes) {
    if (passed.insert(id_of(message, leaf)).second) captured.push_back(leaf);
  }
  return captured;
}

Attribute read_variable(const PlanMessage& message, int expression) {
  const MessageNode& node = message.node(expression);
  if (short_name(node.class_name) != "NamedLambdaVariable") return read_attribute(message, expression);
  if (!node.type) throw_unsupported("a lambda's variable without a type");
  Attribute variable;
  NodeFields fields(message, expression);
  variable.column = {std::string(fields.take_text("name")), *node.type, node.nullable};
  variable.expr_id = fields.take_integer("exprId");
  return variable;
}

}  // namespace accelerant::plan
