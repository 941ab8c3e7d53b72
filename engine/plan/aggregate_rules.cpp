// Aggregates. Spark plans them as a partial step, an exchange and a final step, or (4.3) as one complete step; the
// engine does each of these in one. Grouping and arguments come from the lower step, results from the upper one.
#include "base/error.h"
#include "plan/aggregate.h"
#include "plan/constants.h"
#include "plan/expression_binder.h"
#include "plan/operator_rules.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_set>

namespace accelerant::plan {

using expressions::Slot;
using types::DataType;
using types::TypeId;

namespace {

constexpr std::string_view kExpressions = "org.apache.spark.sql.catalyst.expressions.";
constexpr std::string_view kFunctions = "org.apache.spark.sql.catalyst.expressions.aggregate.";

/// An AggregateExpression.
struct Call {
  int function;  ///< node of the aggregate function
  std::string_view mode;
  std::optional<int> filter;
  int64_t result_id;
};

/// A HashAggregate, SortAggregate or ObjectHashAggregate.
struct Step {
  int plan_node;
  std::vector<int> grouping;
  std::vector<Call> calls;
  std::vector<int> result_attributes;
  std::vector<int> results;
};

Call read_call(const PlanMessage& message, int index) {
  NodeFields fields(message, index);
  if (fields.short_name() != "AggregateExpression") throw_unsupported("expression " + std::string(fields.short_name()));
  Call call{fields.take_node("aggregateFunction"), fields.take_enumerator("mode"), fields.take_optional_node("filter"),
            fields.take_integer("resultId")};
  const bool distinct = fields.take_bool("isDistinct");
  fields.finish();
  if (distinct) throw_unsupported("DISTINCT in " + std::string(short_name(message.node(call.function).class_name)));
  return call;
}

/// Reads the fields of a step. @param child is set to the node below
Step read_step(const PlanMessage& message, NodeFields& fields, int& child) {
  Step step;
  step.plan_node = fields.index();
  step.grouping = fields.take_nodes("groupingExpressions");
  for (const int index : fields.take_nodes("aggregateExpressions")) step.calls.push_back(read_call(message, index));
  step.result_attributes = fields.take_nodes("aggregateAttributes");
  step.results = fields.take_nodes("resultExpressions");
  child = fields.take_node("child");
  fields.require_unset("isStreaming");
  // How rows are spread, and where partial results lie in Spark's buffers.
  for (const char* name :
       {"requiredChildDistributionExpressions", "numShufflePartitions", "initialInputBufferOffset", "output"}) {
    fields.ignore(name);
  }
  fields.finish();
  return step;
}

/// Returns the mode that all calls share; empty when there are none.
std::string_view mode_of(const Step& step) {
  if (step.calls.empty()) return "";
  const std::string_view mode = step.calls.front().mode;
  for (const Call& call : step.calls) {
    if (call.mode != mode)
      throw_unsupported("aggregate functions of modes " + std::string(mode) + " and " + std::string(call.mode));
  }
  if (mode != "Partial" && mode != "Final" && mode != "Complete")
    throw_unsupported("aggregate mode " + std::string(mode));
  return mode;
}

std::optional<AggregateKind> kind_of_function(std::string_view class_name) {
  if (!class_name.starts_with(kFunctions)) return std::nullopt;
  const std::string_view name = class_name.substr(kFunctions.size());
  if (name == "Sum") return AggregateKind::Sum;
  if (name == "Average") return AggregateKind::Average;
  if (name == "Count") return AggregateKind::Count;
  if (name == "Min") return AggregateKind::Min;
  if (name == "Max") return AggregateKind::Max;
  return std::nullopt;
}

/// Says whether the types are those that Spark's function has; a message that breaks this is not Spark's.
bool has_sound_types(const AggregateCall& call) {
  const DataType& argument = call.argument_type;
  const DataType& result = call.result_type;
  switch (call.kind) {
    case AggregateKind::Count:
      return result.is(TypeId::Long);
    case AggregateKind::Min:
    case AggregateKind::Max:
      return argument == result;
    case AggregateKind::Sum:
      if (argument.is_decimal()) return result.is_decimal() && result.scale() == argument.scale();
      return (argument.is_integral() && result.is(TypeId::Long)) ||
             (argument.is_floating() && result.is(TypeId::Double));
    case AggregateKind::Average:
      if (argument.is_decimal()) return result.is_decimal() && result.scale() >= argument.scale();
      return (argument.is_integral() || argument.is_floating()) && result.is(TypeId::Double);
  }
  return false;
}

/// Binds grouping and arguments of a step into the input program.
class InputBinder {
 public:
  InputBinder(const PlanMessage& message, const Relation& input)
      : message_(message), binder_(message, input.attributes) {}

  void add_key(int expression, Aggregate& node) {
    const Slot slot = binder_.bind(expression);
    try {
      node.keys.push_back(named_attribute(message_, expression).column);
    } catch (const Error& error) {
      binder_.note(error.message());
    }
    outputs_.push_back(slot);
    if (slot != ExpressionBinder::kFailed && binder_.builder().type(slot).is(TypeId::Null))
      binder_.note("group by a column of type void");
  }

  void add_call(const Call& call, Aggregate& node) {
    try {
      if (auto bound = bind_call(call)) node.calls.push_back(*bound);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Unsupported) throw;
      binder_.note(error.message());
    }
  }

  ExpressionBinder& binder() { return binder_; }
  const std::vector<Slot>& outputs() const { return outputs_; }

 private:
  std::optional<AggregateCall> bind_call(const Call& call) {
    NodeFields fields(message_, call.function);
    const auto kind = kind_of_function(fields.class_name());
    if (!kind || !fields.node().type) {
      throw_unsupported("aggregate " + std::string(fields.short_name()) + " (Spark " + message_.spark_version + ")");
    }
    AggregateCall bound;
    bound.kind = *kind;
    bound.result_type = *fields.node().type;
    bound.nullable = fields.node().nullable;
    bound.expression = call.function;
    std::vector<int> arguments;
    if (*kind == AggregateKind::Count) {
      arguments = fields.take_nodes("children");
    } else {
      arguments = {fields.take_node("child")};
    }
    bound.mode = fields.take_mode();
    fields.finish();
    const std::vector<Slot> slots = binder_.bind_all(arguments);
    const Slot filter = call.filter ? binder_.bind(*call.filter) : kNone;
    if (filter == ExpressionBinder::kFailed ||
        std::find(slots.begin(), slots.end(), ExpressionBinder::kFailed) != slots.end()) {
      return std::nullopt;
    }
    place_argument(bound, *kind == AggregateKind::Count ? count_argument(slots) : slots.front(), filter);
    if (has_sound_types(bound)) return bound;
    throw_unsupported(std::string("aggregate ") + to_string(bound.kind) + " of " + bound.argument_type.to_string() +
                      " that gives " + bound.result_type.to_string());
  }

  /// COUNT counts rows where no argument is null; kNone when none can be.
  Slot count_argument(const std::vector<Slot>& arguments) {
    std::vector<Slot> nullable;
    for (const Slot slot : arguments) {
      if (binder_.builder().nullable(slot)) nullable.push_back(slot);
    }
    if (nullable.empty()) return kNone;
    if (nullable.size() == 1) return nullable.front();
    std::vector<Slot> present;
    for (const Slot slot : nullable) {
      present.push_back(binder_.builder().call(std::string(kExpressions) + "IsNotNull", {slot},
                                               DataType(TypeId::Boolean), expressions::EvalMode::Ansi, -1));
    }
    return true_or_null(binder_.builder().conjunction(std::move(present)));
  }

  Slot true_or_null(Slot condition) {
    const Value yes{true};
    const Value* values = &yes;
    const Slot literal = binder_.builder().literal(make_constants({&values, 1}, DataType(TypeId::Boolean)));
    return binder_.builder().case_when({{condition, literal}}, std::nullopt, DataType(TypeId::Boolean));
  }

  void place_argument(AggregateCall& call, Slot argument, Slot filter) {
    if (filter != kNone) {
      if (!binder_.builder().type(filter).is(TypeId::Boolean))
        throw_unsupported("an aggregate's filter that is no boolean");
      if (argument == kNone) {
        argument = true_or_null(filter);
      } else {
        const DataType type = binder_.builder().type(argument);
        argument = binder_.builder().case_when({{filter, argument}}, std::nullopt, type);
      }
    }
    if (argument == kNone) return;
    call.argument_type = binder_.builder().type(argument);
    const auto found = std::find(outputs_.begin(), outputs_.end(), argument);
    call.argument = static_cast<int>(found - outputs_.begin());
    if (found == outputs_.end()) outputs_.push_back(argument);
  }

  static constexpr Slot kNone = -2;

  const PlanMessage& message_;
  ExpressionBinder binder_;
  std::vector<Slot> outputs_;
};

/// Returns what the result expressions may refer to: the keys, then the aggregates' results.
std::vector<Attribute> result_scope(const PlanMessage& message, const Step& lower, const Step& upper) {
  std::vector<Attribute> scope;
  for (const int key : lower.grouping) scope.push_back(named_attribute(message, key));
  for (const int result : upper.result_attributes) scope.push_back(read_attribute(message, result));
  for (size_t i = 0; i < scope.size(); ++i) scope[i].position = static_cast<int>(i);
  return scope;
}

void check_same_calls(const PlanMessage& message, const Step& lower, const Step& upper) {
  if (upper.result_attributes.size() != upper.calls.size())
    throw_unsupported("an aggregate with odd result attributes");
  if (lower.calls.size() != upper.calls.size() || lower.grouping.size() != upper.grouping.size()) {
    throw_unsupported("a final aggregate over a partial one that does not match");
  }
  for (size_t i = 0; i < upper.calls.size(); ++i) {
    const bool same =
        lower.calls[i].result_id == upper.calls[i].result_id &&
        message.node(lower.calls[i].function).class_name == message.node(upper.calls[i].function).class_name;
    if (!same) throw_unsupported("a final aggregate over a partial one that does not match");
    if (&lower != &upper && upper.calls[i].filter) throw_unsupported("a filter in a final aggregate");
  }
  for (size_t i = 0; i < upper.grouping.size(); ++i) {
    if (named_attribute(message, lower.grouping[i]).expr_id != named_attribute(message, upper.grouping[i]).expr_id) {
      throw_unsupported("a final aggregate over a partial one that does not match");
    }
  }
}

void close_to_inputs(const PlanMessage& message, const Step& lower, Relation& input) {
  std::unordered_set<int64_t> needed;
  for (const int key : lower.grouping) collect_references(message, key, needed);
  for (const Call& call : lower.calls) {
    collect_references(message, call.function, needed);
    if (call.filter) collect_references(message, *call.filter, needed);
  }
  close_scan(message, input, &needed);
}

/// Makes the node from its lower and its upper step, which are the same for a complete aggregate.
Relation make_aggregate(const PlanMessage& message, Relation input, const Step& lower, const Step& upper) {
  check_same_calls(message, lower, upper);
  close_to_inputs(message, lower, input);
  auto node = std::make_shared<Aggregate>();
  InputBinder inputs(message, input);
  for (const int key : lower.grouping) inputs.add_key(key, *node);
  for (const Call& call : lower.calls) inputs.add_call(call, *node);
  const std::vector<Attribute> scope = result_scope(message, lower, upper);
  ExpressionBinder results(message, scope);
  const std::vector<Slot> outputs = results.bind_all(upper.results);
  inputs.binder().absorb(results);
  inputs.binder().throw_if_failed();
  for (size_t i = 0; i < node->calls.size(); ++i) {
    if (!(scope[node->keys.size() + i].column.type == node->calls[i].result_type))
      throw_unsupported("an aggregate with odd result attributes");
  }
  node->plan_node = upper.plan_node;
  if (&lower != &upper) node->fused = {lower.plan_node};
  node->input = inputs.binder().finish(inputs.outputs());
  node->result = results.finish(outputs);
  node->inputs = {input.node};
  Relation result;
  for (const int expression : upper.results) {
    result.attributes.push_back(named_attribute(message, expression));
    result.attributes.back().position = static_cast<int>(result.attributes.size()) - 1;
  }
  node->output = columns_of(result.attributes);
  result.node = std::move(node);
  return result;
}

std::set<int64_t> ids_of(const PlanMessage& message, const std::vector<int>& named) {
  std::set<int64_t> ids;
  for (const int expression : named) ids.insert(named_attribute(message, expression).expr_id);
  return ids;
}

/// GROUP BY without functions looks the same in all its steps: the second one over the same keys only chooses columns.
Relation bind_distinct(Binding& binding, Relation input, const Step& step) {
  const PlanMessage& message = binding.message();
  const std::set<int64_t> keys = ids_of(message, step.grouping);
  if (input.distinct && *input.distinct == keys) {
    return project(message, std::move(input), step.results, step.plan_node);
  }
  if (!input.unfinished.empty() && !input.sorted_locally) throw_unsupported("over " + input.unfinished);
  Relation result = make_aggregate(message, std::move(input), step, step);
  if (ids_of(message, step.results) == keys && step.results.size() == step.grouping.size()) result.distinct = keys;
  return result;
}

}  // namespace

Relation bind_aggregate(Binding& binding, NodeFields& fields) {
  const PlanMessage& message = binding.message();
  int child = -1;
  const Step step = read_step(message, fields, child);
  const std::string_view mode = mode_of(step);
  Relation input = binding.unfinished_input(child);
  if (mode.empty()) return bind_distinct(binding, std::move(input), step);
  if (mode == "Final") {
    if (input.partial_aggregate < 0 && input.failed) return {};
    if (input.partial_aggregate < 0) throw_unsupported("a final aggregate without its partial one");
    NodeFields lower_fields(message, input.partial_aggregate);
    const Step lower = read_step(message, lower_fields, child);
    return make_aggregate(message, std::move(input), lower, step);
  }
  if (!input.unfinished.empty() && !input.sorted_locally) throw_unsupported("over " + input.unfinished);
  if (mode == "Complete") return make_aggregate(message, std::move(input), step, step);
  input.unfinished = "a partial aggregate";
  input.sorted_locally = false;
  input.partial_aggregate = step.plan_node;
  return input;
}

}  // namespace accelerant::plan
