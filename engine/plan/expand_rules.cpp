#include "base/error.h"
#include "plan/expand.h"
#include "plan/expression_binder.h"
#include "plan/operator_rules.h"
#include "plan/retyped_columns.h"

#include <vector>

namespace accelerant::plan {

using expressions::Slot;

namespace {

/// Reads the projections, each a list of expressions.
std::vector<std::vector<int>> read_projections(NodeFields& fields, size_t num_columns) {
  const auto* list = fields.take("projections").get_if<List>();
  if (!list || list->items.empty()) fields.fail("projections");
  std::vector<std::vector<int>> projections;
  for (const FieldValue& item : list->items) {
    if (!item.get_if<List>()) fields.fail("projections", "holds " + kind_of(item));
    std::vector<int>& projection = projections.emplace_back();
    for_each_node(item, [&](int expression) { projection.push_back(expression); });
    if (projection.size() != num_columns) fields.fail("projections", "is not as wide as the output");
  }
  return projections;
}

std::shared_ptr<const expressions::Program> bind_expand_projection(const PlanMessage& message, const Relation& input,
                                                                   const std::vector<int>& projection,
                                                                   const std::vector<Attribute>& output) {
  ExpressionBinder binder(message, input.attributes);
  std::vector<Slot> slots = binder.bind_all(projection);
  binder.throw_if_failed();
  for (size_t i = 0; i < slots.size(); ++i) slots[i] = retyped(binder.builder(), slots[i], output[i].column);
  return binder.finish(slots);
}

}  // namespace

Relation Expand::bind(Binding& binding, NodeFields& fields) {
  const PlanMessage& message = binding.message();
  std::vector<Attribute> output = read_output(message, fields.index());
  const std::vector<std::vector<int>> projections = read_projections(fields, output.size());
  Relation input = binding.input(fields.take_node("child"));
  for (const char* name : {"useSingleTask", "output"}) fields.ignore(name);
  fields.finish();
  auto node = std::make_shared<Expand>();
  node->plan_node = fields.index();
  for (const auto& projection : projections)
    node->projections.push_back(bind_expand_projection(message, input, projection, output));
  node->output = columns_of(output);
  node->inputs = {input.node};
  Relation result;
  result.node = std::move(node);
  result.attributes = std::move(output);
  return result;
}

}  // namespace accelerant::plan
