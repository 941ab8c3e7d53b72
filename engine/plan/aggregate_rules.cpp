// Aggregates. The engine does all of Spark's steps in one: grouping and arguments come from the lowest step, results
// from the topmost one.
#include "base/error.h"
#include "plan/aggregate.h"
#include "plan/aggregate_functions.h"
#include "plan/aggregate_steps.h"
#include "plan/constants.h"
#include "plan/expand.h"
#include "plan/expression_binder.h"
#include "plan/operator_rules.h"
#include "plan/settings.h"
#include "plan/spark_hash.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace accelerant::plan {

using expressions::Slot;
using types::DataType;
using types::TypeId;

namespace {

/// Binds grouping and arguments into the input program.
class InputBinder {
 public:
  InputBinder(const PlanMessage& message, const Relation& input)
      : message_(message), binder_(message, input.attributes) {}

  /// Binds the grouping of the lowest step, of which those in `keys` are the node's keys; DISTINCT arguments refer to
  /// the others.
  void add_grouping(const std::vector<int>& grouping, const std::set<int64_t>& keys, Aggregate& node) {
    for (const int expression : grouping) {
      const Slot slot = binder_.bind(expression);
      const Attribute attribute = named_attribute(message_, expression);
      if (!grouping_.emplace(attribute.expr_id, slot).second) continue;
      if (slot != ExpressionBinder::kFailed) check_key(binder_.builder().type(slot));
      if (!keys.contains(attribute.expr_id)) continue;
      node.keys.push_back(attribute.column);
      outputs_.push_back(slot);
    }
  }

  void add_call(const AggregatePart& part, Aggregate& node) {
    try {
      if (auto bound = bind_call(part)) node.calls.push_back(*bound);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Unsupported) throw;
      binder_.note(error.message());
    }
  }

  ExpressionBinder& binder() { return binder_; }
  const std::vector<Slot>& outputs() const { return outputs_; }

 private:
  void check_key(const DataType& type) {
    if (type.is(TypeId::Null) || type.is_nested()) binder_.note("group by a column of type " + type.to_string());
  }

  std::optional<AggregateCall> bind_call(const AggregatePart& part) {
    AggregateFunction function = read_aggregate_function(message_, part.call.function);
    AggregateCall& call = function.call;
    call.distinct |= part.distinct;
    std::vector<Slot> slots;
    for (const int argument : function.arguments) slots.push_back(bind_argument(argument, part.distinct));
    const Slot filter = part.call.filter ? binder_.bind(*part.call.filter) : kNone;
    if (filter == ExpressionBinder::kFailed ||
        std::find(slots.begin(), slots.end(), ExpressionBinder::kFailed) != slots.end()) {
      return std::nullopt;
    }
    // Of what only counts rows, Spark does not evaluate arguments that it says cannot be null, unless they tell rows
    // apart; any other may fail.
    if (call.description().counts_rows && !call.distinct) {
      slots.clear();
      for (const int argument : function.arguments) {
        if (message_.node(argument).nullable) slots.push_back(binder_.bind(argument));
      }
    }
    if (filter != kNone) add_filter(call, filter, slots);
    place_arguments(call, slots);
    call.overload = call.function->overload_for(call);
    if (!call.overload) throw_unsupported(describe_types(call));
    return call;
  }

  /// A DISTINCT argument is a column of the step below that made it distinct, or a constant.
  Slot bind_argument(int argument, bool distinct) {
    const bool is_column = short_name(message_.node(argument).class_name) == "AttributeReference";
    if (!distinct || !is_column) return binder_.bind(argument);
    const auto found = grouping_.find(read_attribute(message_, argument).expr_id);
    if (found == grouping_.end()) throw_unsupported("a DISTINCT argument that the step below does not group by");
    return found->second;
  }

  /// Makes arguments null, and never evaluated, where the filter is not true.
  void add_filter(const AggregateCall& call, Slot filter, std::vector<Slot>& slots) {
    if (!binder_.builder().type(filter).is(TypeId::Boolean))
      throw_unsupported("an aggregate's filter that is no boolean");
    for (Slot& slot : slots) {
      const DataType type = binder_.builder().type(slot);
      slot = binder_.builder().case_when({{filter, slot}}, std::nullopt, type);
    }
    if (slots.empty() || (slots.size() == 1 && !call.options.ignores_nulls)) slots.push_back(true_or_null(filter));
  }

  Slot true_or_null(Slot condition) {
    const Value yes{true};
    const Value* values = &yes;
    const Slot literal = binder_.builder().literal(make_constants({&values, 1}, DataType(TypeId::Boolean)));
    return binder_.builder().case_when({{condition, literal}}, std::nullopt, DataType(TypeId::Boolean));
  }

  void place_arguments(AggregateCall& call, const std::vector<Slot>& slots) {
    for (const Slot slot : slots) {
      call.argument_types.push_back(binder_.builder().type(slot));
      const auto found = std::find(outputs_.begin(), outputs_.end(), slot);
      call.arguments.push_back(static_cast<int>(found - outputs_.begin()));
      if (found == outputs_.end()) outputs_.push_back(slot);
    }
  }

  static std::string describe_types(const AggregateCall& call) {
    std::string text = "aggregate " + std::string(call.name()) + " of ";
    for (size_t i = 0; i < call.argument_types.size(); ++i)
      text += (i > 0 ? ", " : "") + call.argument_types[i].to_string();
    return text + " that gives " + call.result_type.to_string();
  }

  static constexpr Slot kNone = -2;

  const PlanMessage& message_;
  ExpressionBinder binder_;
  std::unordered_map<int64_t, Slot> grouping_;  ///< by the id of the column that the lowest step gives
  std::vector<Slot> outputs_;
};

/// Returns what the result expressions may refer to: the keys, then the aggregates' results.
std::vector<Attribute> result_scope(const PlanMessage& message, const AggregateStep& lowest,
                                    const AggregateStep& upper) {
  const std::set<int64_t> keys = ids_of(message, upper.grouping);
  std::vector<Attribute> scope;
  std::set<int64_t> seen;
  for (const int key : lowest.grouping) {
    Attribute attribute = named_attribute(message, key);
    if (keys.contains(attribute.expr_id) && seen.insert(attribute.expr_id).second) scope.push_back(attribute);
  }
  for (const int result : upper.result_attributes) scope.push_back(read_attribute(message, result));
  for (size_t i = 0; i < scope.size(); ++i) scope[i].position = static_cast<int>(i);
  return scope;
}

void close_to_inputs(const PlanMessage& message, const AggregateStep& lowest, Relation& input) {
  std::unordered_set<int64_t> needed;
  for (const int key : lowest.grouping) collect_references(message, key, needed);
  for (const AggregateExpression& call : lowest.calls) {
    collect_references(message, call.function, needed);
    if (call.filter) collect_references(message, *call.filter, needed);
  }
  close_scan(message, input, &needed);
}

bool is_order_sensitive(const AggregateCall& call) { return call.description().order_sensitive; }

/// Lets an Expand below give rows in any order, unless a group may hold rows of several projections and some function
/// is order-sensitive.
void relax_order(const Relation& input, const std::set<int64_t>& keys, const std::vector<AggregateCall>& calls) {
  const std::shared_ptr<Node> node = input.node();
  if (!node || !node->is<Expand>()) return;
  auto& expand = static_cast<Expand&>(*node);
  if (expand.can_fail()) return;  // the first error counts
  const auto& ids = input.projections_told_apart_by;
  const bool told_apart = std::any_of(ids.begin(), ids.end(), [&](int64_t id) { return keys.contains(id); });
  if (told_apart || std::none_of(calls.begin(), calls.end(), is_order_sensitive)) expand.in_row_order = false;
}

/// Refuses a sort of each partition that shows in the answer: one that a program asked for, rather than Spark for the
/// sake of the grouping, below an order-sensitive function.
void check_order(const std::set<int64_t>& sorted_by, const std::set<int64_t>& keys,
                 const std::vector<AggregateCall>& calls) {
  if (std::ranges::includes(keys, sorted_by)) return;
  const auto found = std::ranges::find_if(calls, is_order_sensitive);
  if (found != calls.end()) throw_unsupported(std::string(found->name()) + " over a sort of each partition");
}

/// Fails unless the column that stands for a function's results is of their type.
void check_result(const OutputColumn& column, const AggregateCall& call) {
  if (column.type == call.result_type) return;
  throw_unsupported("column " + column.name + " of type " + column.type.to_string() + " for the results of " +
                    std::string(call.name()) + ", which are of type " + call.result_type.to_string());
}

/// Returns the number of partitions into which Spark spreads rows that it groups.
int num_shuffle_partitions(const PlanMessage& message) {
  constexpr int kDefault = 200;
  const std::string_view usual = setting_or(message, "spark.sql.shuffle.partitions", "");
  const std::string_view text = setting_or(message, "spark.sql.adaptive.coalescePartitions.initialPartitionNum", usual);
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number > 0 ? number : kDefault;
}

/// Says how Spark spreads the groups, unless keys have a type whose hash is not known: then groups come in another
/// order than Spark's, which they may.
void note_partitions(const PlanMessage& message, Aggregate& node) {
  if (node.keys.empty()) return;
  const auto is_on = [&](std::string_view name) {
    return equal_setting_values(setting_or(message, name, "true"), "true");
  };
  node.reads_together = is_on("spark.sql.adaptive.enabled") && is_on("spark.sql.adaptive.coalescePartitions.enabled");
  expressions::ProgramBuilder builder;
  try {
    std::vector<Slot> keys;
    for (const OutputColumn& key : node.keys) {
      keys.push_back(builder.input(static_cast<int>(keys.size()), key.type, key.nullable));
    }
    const Slot hash = spark_hash(builder, keys, kPartitioningSeed, node.plan_node);
    node.key_hash = std::move(builder).finish({&hash, 1});
    node.num_partitions = num_shuffle_partitions(message);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unsupported) throw;
  }
}

/// Makes the node from its steps, lowest first; a complete aggregate has one.
Relation make_aggregate(const PlanMessage& message, Relation input, const std::vector<AggregateStep>& steps) {
  const std::vector<AggregatePart> parts = match_steps(message, steps);
  const AggregateStep& lowest = steps.front();
  const AggregateStep& upper = steps.back();
  close_to_inputs(message, lowest, input);
  const std::set<int64_t> sorted_by = std::move(input.sorted_by);
  auto node = std::make_shared<Aggregate>();
  InputBinder inputs(message, input);
  inputs.add_grouping(lowest.grouping, ids_of(message, upper.grouping), *node);
  for (const AggregatePart& part : parts) inputs.add_call(part, *node);
  const std::vector<Attribute> scope = result_scope(message, lowest, upper);
  ExpressionBinder results(message, scope);
  const std::vector<Slot> outputs = results.bind_all(upper.results);
  inputs.binder().absorb(results);
  inputs.binder().throw_if_failed();
  for (size_t i = 0; i < node->calls.size(); ++i) {
    check_result(scope[node->keys.size() + i].column, node->calls[i]);
  }
  check_order(sorted_by, ids_of(message, lowest.grouping), node->calls);
  relax_order(input, ids_of(message, upper.grouping), node->calls);
  node->plan_node = upper.plan_node;
  for (size_t i = 0; i + 1 < steps.size(); ++i) node->fused.push_back(steps[i].plan_node);
  node->input = inputs.binder().finish(inputs.outputs());
  node->spark_sorts = lowest.sorts;
  node->result = results.finish(outputs);
  node->inputs = {input.node()};
  note_partitions(message, *node);
  Relation result;
  for (const int expression : upper.results) {
    result.attributes.push_back(named_attribute(message, expression));
    result.attributes.back().position = static_cast<int>(result.attributes.size()) - 1;
  }
  node->output = columns_of(result.attributes);
  result.source = std::move(node);
  return result;
}

/// GROUP BY without functions looks the same in all its steps: the second one over the same keys only chooses columns.
Relation bind_distinct(Binding& binding, Relation input, const AggregateStep& step) {
  const PlanMessage& message = binding.message();
  const std::set<int64_t> keys = ids_of(message, step.grouping);
  if (input.distinct && *input.distinct == keys) {
    Relation result = project(message, std::move(input), step.results, step.plan_node);
    if (ids_of(message, step.results) != keys) result.distinct.reset();
    return result;
  }
  if (!input.is_sorted_locally()) input.require_whole();
  Relation result = make_aggregate(message, std::move(input), {step});
  if (ids_of(message, step.results) == keys && step.results.size() == step.grouping.size()) result.distinct = keys;
  return result;
}

/// Ends the aggregation whose lower steps are below.
Relation bind_final(const PlanMessage& message, Relation input, const AggregateStep& step) {
  const std::vector<int> lower_steps = input.partial_steps();
  if (lower_steps.empty() && input.failed()) return {};
  if (lower_steps.empty()) throw_unsupported("a final aggregate without its partial one");
  std::vector<AggregateStep> steps;
  for (const int lower : lower_steps) {
    NodeFields fields(message, lower);
    steps.push_back(read_step(message, fields));
  }
  steps.push_back(step);
  return make_aggregate(message, std::move(input), steps);
}

}  // namespace

Relation Aggregate::bind(Binding& binding, NodeFields& fields) {
  const PlanMessage& message = binding.message();
  const AggregateStep step = read_step(message, fields);
  const std::string_view mode = mode_of(step);
  Relation input = binding.unfinished_input(step.child);
  finish_local_limit(message, input);
  if (mode.empty()) return bind_distinct(binding, std::move(input), step);
  if (mode == "Final") return bind_final(message, std::move(input), step);
  std::vector<int> lower_steps = input.partial_steps();
  if (mode == "PartialMerge") {
    if (lower_steps.empty() && !input.failed()) throw_unsupported("a merge of aggregates without their partial ones");
  } else if (!input.is_sorted_locally()) {
    input.require_whole();
  }
  if (mode == "Complete") return make_aggregate(message, std::move(input), {step});
  lower_steps.push_back(step.plan_node);
  input.completeness = PartialAggregate{std::move(lower_steps)};
  return input;
}

}  // namespace accelerant::plan
