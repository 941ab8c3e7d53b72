#include "base/error.h"
#include "plan/expression_binder.h"
#include "plan/operator_rules.h"
#include "plan/project.h"

#include <optional>
#include <string>
#include <unordered_set>

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

/// Returns the attribute below an expression that is one, or an Alias of one.
std::optional<int> plain_column(const PlanMessage& message, int expression, bool& renames) {
  const std::string_view name = short_name(message.node(expression).class_name);
  if (name == "AttributeReference") return expression;
  if (name != "Alias") return std::nullopt;
  const int child = NodeFields(message, expression).take_node("child");
  if (short_name(message.node(child).class_name) != "AttributeReference") return std::nullopt;
  renames = true;
  return child;
}

/// Returns the columns that expressions stand for when none of them computes anything.
std::optional<std::vector<int>> plain_columns(const PlanMessage& message, const std::vector<int>& expressions,
                                              bool& renames) {
  std::vector<int> columns;
  for (const int expression : expressions) {
    const auto column = plain_column(message, expression, renames);
    if (!column) return std::nullopt;
    columns.push_back(*column);
  }
  return columns;
}

std::vector<Attribute> choose(const PlanMessage& message, const Relation& input, const std::vector<int>& expressions,
                              const std::vector<int>& columns) {
  ExpressionBinder binder(message, input.attributes);  // checks that the columns are there, and of their types
  binder.bind_all(columns);
  binder.throw_if_failed();
  std::vector<Attribute> chosen;
  for (size_t i = 0; i < expressions.size(); ++i) {
    const Attribute* source = binder.find_attribute(read_attribute(message, columns[i]).expr_id);
    Attribute attribute = named_attribute(message, expressions[i]);
    attribute.column.nullable = source->column.nullable;
    attribute.position = source->position;
    chosen.push_back(std::move(attribute));
  }
  return chosen;
}

void close_to(const PlanMessage& message, Relation& input, const std::vector<int>& expressions) {
  std::unordered_set<int64_t> needed;
  for (const int expression : expressions) collect_references(message, expression, needed);
  close_scan(message, input, &needed);
}

Relation compute(const PlanMessage& message, Relation input, const std::vector<int>& expressions, int plan_node) {
  close_to(message, input, expressions);
  ExpressionBinder binder(message, input.attributes);
  const std::vector<expressions::Slot> slots = binder.bind_all(expressions);
  std::vector<Attribute> attributes;
  for (const int expression : expressions) {
    attributes.push_back(named_attribute(message, expression));
    attributes.back().position = static_cast<int>(attributes.size()) - 1;
  }
  auto node = std::make_shared<Project>();
  node->plan_node = plan_node;
  node->program = binder.finish(slots);
  node->output = columns_of(attributes);
  node->inputs = {input.node()};
  input.put_above(std::move(node));
  input.attributes = std::move(attributes);
  return input;
}

}  // namespace

Relation project(const PlanMessage& message, Relation input, const std::vector<int>& expressions, int plan_node) {
  bool renames = false;
  const auto columns = plain_columns(message, expressions, renames);
  if (!columns) return compute(message, std::move(input), expressions, plan_node);
  // Filters that come later look for columns by the ids that the scan gave them.
  if (renames) close_to(message, input, expressions);
  input.attributes = choose(message, input, expressions, *columns);
  if (OpenScan* scan = input.scan()) scan->fused.push_back(plan_node);
  if (const auto node = input.node(); node && node->plan_node != plan_node) node->fused.push_back(plan_node);
  return input;
}

std::vector<int> put_beside(ExpressionBinder& binder, Relation& input, const std::vector<expressions::Slot>& columns,
                            std::string_view name, int plan_node) {
  std::vector<expressions::Slot> outputs;
  auto node = std::make_shared<Project>();
  node->output = columns_of(input.attributes);
  for (Attribute& attribute : input.attributes) {
    outputs.push_back(binder.builder().input(attribute.position, attribute.column.type, attribute.column.nullable));
    attribute.position = static_cast<int>(outputs.size()) - 1;
  }
  std::vector<int> positions;
  for (const expressions::Slot column : columns) {
    positions.push_back(static_cast<int>(outputs.size()));
    outputs.push_back(column);
    node->output.push_back({std::string(name), binder.builder().type(column), binder.builder().nullable(column)});
  }
  node->plan_node = plan_node;
  node->program = binder.finish(outputs);
  node->inputs = {input.node()};
  input.put_above(std::move(node));
  return positions;
}

Relation Project::bind(Binding& binding, NodeFields& fields) {
  const std::vector<int> expressions = fields.take_nodes("projectList");
  Relation input = binding.input(fields.take_node("child"));
  fields.ignore("output");
  fields.finish();
  return project(binding.message(), std::move(input), expressions, fields.index());
}

}  // namespace accelerant::plan
