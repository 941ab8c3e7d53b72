#include "base/error.h"
#include "expressions/moved_program.h"
#include "plan/estimates.h"
#include "plan/expression_binder.h"
#include "plan/operator_rules.h"
#include "plan/replicate.h"
#include "types/same_values.h"

#include <utility>
#include <vector>

namespace accelerant::plan {

using expressions::Slot;
using types::TypeId;

namespace {

/// Returns the number of times and the values of a ReplicateRows.
std::vector<int> read_generator(const PlanMessage& message, int generator) {
  NodeFields fields(message, generator);
  if (fields.short_name() != "ReplicateRows") throw_unsupported("generator " + std::string(fields.short_name()));
  std::vector<int> children = fields.take_nodes("children");
  fields.finish();
  if (children.empty()) fields.fail("children", "is empty");
  return children;
}

/// Checks that what is computed is what Spark emits.
void check_types(ExpressionBinder& binder, const std::vector<Slot>& slots, const std::vector<Attribute>& output) {
  if (slots.size() != output.size() + 1) throw_unsupported("another number of columns than it computes");
  if (!binder.builder().type(slots.front()).is(TypeId::Long)) throw_unsupported("a number of copies that is no bigint");
  for (size_t i = 0; i < output.size(); ++i) {
    const types::DataType& type = binder.builder().type(slots[i + 1]);
    if (types::same_values(type, output[i].column.type)) continue;
    throw_unsupported("column " + output[i].column.name + " of type " + type.to_string());
  }
}

}  // namespace

ColumnPositions Replicate::put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) {
  program = expressions::moved(program, places.front());
  return stay_above(std::move(changed));
}

double Replicate::estimate_rows(Estimates& estimates) const { return estimates.rows(*inputs.front()); }

Relation Replicate::bind(Binding& binding, NodeFields& fields) {
  const PlanMessage& message = binding.message();
  const std::vector<int> values = read_generator(message, fields.take_node("generator"));
  std::vector<int> expressions{values.front()};
  Relation result;
  for (const int kept : fields.take_nodes("requiredChildOutput")) {
    expressions.push_back(kept);
    result.attributes.push_back(read_attribute(message, kept));
  }
  expressions.insert(expressions.end(), values.begin() + 1, values.end());
  for (const int generated : fields.take_nodes("generatorOutput")) {
    result.attributes.push_back(read_attribute(message, generated));
  }
  fields.require_unset("outer");
  Relation input = binding.input(fields.take_node("child"));
  fields.ignore("output");
  fields.finish();

  ExpressionBinder binder(message, input.attributes);
  const std::vector<Slot> slots = binder.bind_all(expressions);
  binder.throw_if_failed();
  check_types(binder, slots, result.attributes);
  for (size_t i = 0; i < result.attributes.size(); ++i) result.attributes[i].position = static_cast<int>(i);
  auto node = std::make_shared<Replicate>();
  node->plan_node = fields.index();
  node->program = binder.finish(slots);
  if (node->program->can_fail()) throw_unsupported("copies of rows that may fail");
  node->output = columns_of(result.attributes);
  node->inputs = {input.node};
  result.node = std::move(node);
  return result;
}

}  // namespace accelerant::plan
