#include "base/error.h"
#include "plan/aggregate.h"
#include "plan/aggregate_input.h"
#include "plan/aggregate_results.h"
#include "plan/aggregate_step_rules.h"
#include "plan/operator_rules.h"

#include <memory>
#include <utility>
#include <vector>

namespace accelerant::plan {

using expressions::Slot;

namespace {

Relation bind_complete(const PlanMessage& message, const Relation& input, const StepFields& step) {
  const std::vector<Attribute> scope = read_result_scope(message, step);
  auto node = std::make_shared<Aggregate>();
  AggregateInput inputs(message, input.attributes);
  inputs.add_keys(step.grouping);
  for (const AggregateExpression& expression : step.calls) {
    if (auto call = inputs.bind_call(expression, false)) node->calls.push_back(std::move(*call));
  }
  ExpressionBinder results(message, scope);
  const std::vector<Slot> outputs = results.bind_all(step.results);
  inputs.binder().absorb(results);
  inputs.binder().throw_if_failed();
  node->keys = inputs.keys();
  for (size_t i = 0; i < node->calls.size(); ++i) check_result(scope[node->keys.size() + i].column, node->calls[i]);
  node->plan_node = step.plan_node;
  node->input = inputs.finish();
  node->spark_sorts = step.sorts;
  node->result = results.finish(outputs);
  node->inputs = {input.node};
  static_cast<Spreading&>(*node) = spreading_of(message, node->keys, step.plan_node);
  Relation relation{nullptr, read_given(message, step)};
  node->output = columns_of(relation.attributes);
  relation.node = std::move(node);
  return relation;
}

}  // namespace

Relation Aggregate::bind(Binding& binding, NodeFields& fields) {
  const PlanMessage& message = binding.message();
  const StepFields step = read_step(message, fields);
  const std::string_view mode = mode_of(step);
  const Relation input = binding.input(step.child);
  if (mode == "Partial") return bind_partial(message, input, step);
  if (mode == "PartialMerge") return bind_merge(message, input, step);
  if (mode == "Final") return bind_final(message, input, step);
  // GROUP BY without functions looks the same in all its steps.
  return bind_complete(message, input, step);
}

}  // namespace accelerant::plan
