#include "base/error.h"
#include "plan/expression_binder.h"
#include "plan/operator_rules.h"
#include "plan/project.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace accelerant::plan {

Attribute named_attribute(const PlanMessage& message, int expression) {
  if (short_name(message.node(expression).class_name) == "AttributeReference")
    return read_attribute(message, expression);
  NodeFields fields(message, expression);
  if (fields.short_name() != "Alias" || !fields.node().type) {
    throw_unsupported("expression " + std::string(fields.short_name()) + " without a name");
  }
  Attribute attribute;
  attribute.expr_id = fields.take_integer("exprId");
  attribute.column = {std::string(fields.take_text("name")), *fields.node().type, fields.node().nullable};
  return attribute;
}

namespace {

/// Says whether an expression is a column, under whatever name.
bool is_plain_column(const PlanMessage& message, int expression) {
  if (short_name(message.node(expression).class_name) == "Alias") {
    expression = NodeFields(message, expression).take_node("child");
  }
  return short_name(message.node(expression).class_name) == "AttributeReference";
}

/// Returns the attributes that named expressions give. Where none computes anything, columns are as nullable as those
/// that they are.
std::vector<Attribute> attributes_of(ExpressionBinder& binder, const std::vector<int>& expressions,
                                     const std::vector<expressions::Slot>& slots) {
  const PlanMessage& message = binder.message();
  const bool only_chooses = std::ranges::all_of(expressions, [&](int one) { return is_plain_column(message, one); });
  std::vector<Attribute> attributes;
  for (size_t i = 0; i < expressions.size(); ++i) {
    attributes.push_back(named_attribute(message, expressions[i]));
    attributes.back().position = static_cast<int>(i);
    if (only_chooses) attributes.back().column.nullable = binder.builder().nullable(slots[i]);
  }
  return attributes;
}

}  // namespace

ProgramPtr bind_projection(const PlanMessage& message, const std::vector<int>& expressions,
                           std::vector<Attribute>& attributes) {
  ExpressionBinder binder(message, attributes);
  const std::vector<expressions::Slot> slots = binder.bind_all(expressions);
  binder.throw_if_failed();
  std::vector<Attribute> given = attributes_of(binder, expressions, slots);
  ProgramPtr program = binder.finish(slots);
  attributes = std::move(given);
  return program;
}

Relation Project::bind(Binding& binding, NodeFields& fields) {
  const std::vector<int> expressions = fields.take_nodes("projectList");
  Relation input = binding.input(fields.take_node("child"));
  fields.ignore("output");
  fields.finish();
  auto node = std::make_shared<Project>();
  node->plan_node = fields.index();
  node->program = bind_projection(binding.message(), expressions, input.attributes);
  node->output = columns_of(input.attributes);
  node->inputs = {input.node};
  input.node = std::move(node);
  return input;
}

}  // namespace accelerant::plan
