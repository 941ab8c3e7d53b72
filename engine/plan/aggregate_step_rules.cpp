#include "plan/aggregate_step_rules.h"

#include "base/error.h"
#include "plan/aggregate_input.h"
#include "plan/aggregate_results.h"
#include "plan/final_aggregate.h"
#include "plan/merge_aggregate.h"
#include "plan/operator_rules.h"
#include "plan/partial_aggregate.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace accelerant::plan {

namespace {

StepMode mode_named(std::string_view mode) {
  if (mode == "Partial") return StepMode::TakesRows;
  return mode == "PartialMerge" ? StepMode::Merges : StepMode::Ends;
}

/// Returns the reasons that a binder has; empty: none.
std::string reasons_of(const ExpressionBinder& binder) {
  try {
    binder.throw_if_failed();
    return "";
  } catch (const Error& error) {
    return error.message();
  }
}

/// Says whether a step's keys are columns of the step below it.
bool has_keys(const PlanMessage& message, const Relation& input, const StepFields& fields) {
  return std::ranges::all_of(fields.grouping, [&](int key) {
    const int64_t id = named_attribute(message, key).expr_id;
    return std::ranges::find(input.attributes, id, &Attribute::expr_id) != input.attributes.end();
  });
}

/// Binds what all steps have. What is unsupported is said where the aggregation ends.
/// @param mode of the step. Of one that merges, functions that take in rows take each different row of a group once:
/// the step below groups by their arguments, too
void bind_step(const PlanMessage& message, const Relation& input, const StepFields& fields, StepMode mode,
               AggregateStep& step) {
  AggregateInput inputs(message, input.attributes);
  inputs.add_keys(fields.grouping);
  for (const AggregateExpression& expression : fields.calls) {
    StepCall& call = step.calls.emplace_back();
    call.spark_class = message.node(expression.function).class_name;
    call.mode = mode_named(expression.mode);
    call.is_distinct = expression.is_distinct;
    call.has_filter = expression.filter.has_value();
    call.result_id = expression.result_id;
    if (call.mode == StepMode::TakesRows) call.call = inputs.bind_call(expression, mode == StepMode::Merges);
  }
  step.keys = inputs.keys();
  const bool fits = mode == StepMode::TakesRows || has_keys(message, input, fields);
  step.refusal = fits ? reasons_of(inputs.binder()) : kUnmatchedSteps;
  if (step.refusal.empty()) step.input = inputs.finish();
  step.given_keys = inputs.keys_among(read_given(message, fields));
}

/// Puts a step on top of its input.
Relation give(const PlanMessage& message, const Relation& input, const StepFields& fields, std::shared_ptr<Node> node) {
  Relation relation{nullptr, read_given(message, fields)};
  node->plan_node = fields.plan_node;
  node->inputs = {input.node};
  node->output = columns_of(relation.attributes);
  relation.node = std::move(node);
  return relation;
}

void bind_results(const PlanMessage& message, const StepFields& fields, FinalAggregate& node) {
  const std::vector<Attribute> scope = read_result_scope(message, fields);
  for (size_t i = node.keys.size(); i < scope.size(); ++i) node.results.push_back(scope[i].column);
  ExpressionBinder binder(message, scope);
  const std::vector<expressions::Slot> outputs = binder.bind_all(fields.results);
  const std::string reasons = reasons_of(binder);
  if (reasons.empty()) node.result = binder.finish(outputs);
  node.refusal += (node.refusal.empty() || reasons.empty() ? "" : "; ") + reasons;
}

}  // namespace

Relation bind_partial(const PlanMessage& message, const Relation& input, const StepFields& step) {
  auto node = std::make_shared<PartialAggregate>();
  bind_step(message, input, step, StepMode::TakesRows, *node);
  node->spark_sorts = step.sorts;
  return give(message, input, step, std::move(node));
}

Relation bind_merge(const PlanMessage& message, const Relation& input, const StepFields& step) {
  auto node = std::make_shared<MergeAggregate>();
  bind_step(message, input, step, StepMode::Merges, *node);
  return give(message, input, step, std::move(node));
}

Relation bind_final(const PlanMessage& message, const Relation& input, const StepFields& step) {
  auto node = std::make_shared<FinalAggregate>();
  bind_step(message, input, step, StepMode::Ends, *node);
  bind_results(message, step, *node);
  node->spreading = spreading_of(message, node->keys, step.plan_node);
  return give(message, input, step, std::move(node));
}

}  // namespace accelerant::plan
