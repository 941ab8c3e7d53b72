#include "plan/aggregate_input.h"

#include "base/error.h"
#include "plan/aggregate_filter.h"
#include "plan/aggregate_functions.h"
#include "plan/constants.h"
#include "plan/operator_rules.h"
#include "plan/pivot_places.h"

#include <algorithm>

namespace accelerant::plan {

using expressions::Slot;
using types::DataType;
using types::TypeId;

void AggregateInput::add_keys(const std::vector<int>& grouping) {
  for (const int expression : grouping) {
    const Slot slot = binder_.bind(expression);
    const Attribute attribute = named_attribute(message_, expression);
    if (!key_of_.emplace(attribute.expr_id, static_cast<int>(keys_.size())).second) continue;
    keys_.push_back(attribute.column);
    outputs_.push_back(slot);
    if (slot == ExpressionBinder::kFailed) continue;
    const DataType& type = binder_.builder().type(slot);
    if (type.is(TypeId::Null) || !may_be_grouped(type)) binder_.note("group by a column of type " + type.to_string());
  }
}

ColumnPositions AggregateInput::keys_among(const std::vector<Attribute>& attributes) const {
  ColumnPositions keys;
  for (const Attribute& attribute : attributes) {
    const auto found = key_of_.find(attribute.expr_id);
    keys.push_back(found == key_of_.end() ? std::nullopt : std::optional(found->second));
  }
  return keys;
}

namespace {

constexpr Slot kNone = -2;

std::string describe_types(const AggregateCall& call) {
  std::string text = "aggregate " + std::string(call.name()) + " of ";
  for (size_t i = 0; i < call.argument_types.size(); ++i)
    text += (i > 0 ? ", " : "") + call.argument_types[i].to_string();
  return text + " that gives " + call.result_type.to_string();
}

}  // namespace

std::optional<AggregateCall> AggregateInput::bind_call(const AggregateExpression& expression, bool is_distinct) {
  try {
    return bind_known(expression, is_distinct);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unsupported) throw;
    binder_.note(error.message());
    return std::nullopt;
  }
}

std::optional<AggregateCall> AggregateInput::bind_known(const AggregateExpression& expression, bool is_distinct) {
  AggregateFunction function = read_aggregate_function(message_, expression.function);
  AggregateCall& call = function.call;
  call.distinct |= is_distinct;
  std::vector<Slot> slots = binder_.bind_all(function.arguments);
  const std::vector<Slot> orders = binder_.bind_all(function.orders);
  const Slot filter = expression.filter ? binder_.bind(*expression.filter) : kNone;
  const auto has_failed = [](const std::vector<Slot>& bound) {
    return std::ranges::find(bound, ExpressionBinder::kFailed) != bound.end();
  };
  if (filter == ExpressionBinder::kFailed || has_failed(slots) || has_failed(orders)) return std::nullopt;
  const bool has_orders = !order_by_themselves(function, orders, slots.empty() ? kNone : slots.front());
  if (function.places) slots[1] = bind_place(binder_, slots[1], *function.places, expression.function);
  // Of what only counts rows, Spark does not evaluate arguments that it says cannot be null, unless they tell rows
  // apart; any other may fail.
  if (call.description().counts_rows && !call.distinct) {
    slots.clear();
    for (const int argument : function.arguments) {
      if (message_.node(argument).nullable) slots.push_back(binder_.bind(argument));
    }
  }
  if (!call.distinct) evaluate_to_null(binder_.builder(), call, slots);
  if (filter != kNone) add_filter(binder_.builder(), call, filter, slots);
  if (has_orders) slots.front() = with_orders(call, slots.front(), orders);
  place_arguments(call, slots);
  call.overload = call.function->overload_for(call);
  if (!call.overload) throw_unsupported(describe_types(call));
  return call;
}

/// Puts a value into a struct with what it is ordered by; null where the value is.
Slot AggregateInput::with_orders(const AggregateCall& call, Slot value, const std::vector<Slot>& orders) {
  expressions::ProgramBuilder& builder = binder_.builder();
  std::vector<Slot> members = {value};
  members.insert(members.end(), orders.begin(), orders.end());
  std::vector<types::Field> fields;
  for (const Slot member : members) fields.push_back({std::to_string(fields.size()), builder.type(member), true});
  const DataType type = DataType::structure(std::move(fields));
  const auto make = [&](const char* name, std::vector<Slot> arguments, const DataType& result) {
    const std::string spark_class = std::string("org.apache.spark.sql.catalyst.expressions.") + name;
    return builder.call(spark_class, std::move(arguments), result, expressions::EvalMode::Ansi, call.expression);
  };
  const Slot is_there = make("IsNotNull", {value}, DataType(TypeId::Boolean));
  return builder.case_when({{is_there, make("CreateNamedStruct", std::move(members), type)}}, std::nullopt, type);
}

void AggregateInput::place_arguments(AggregateCall& call, const std::vector<Slot>& slots) {
  for (const Slot slot : slots) {
    call.argument_types.push_back(binder_.builder().type(slot));
    const auto found = std::ranges::find(outputs_, slot);
    call.arguments.push_back(static_cast<int>(found - outputs_.begin()));
    if (found == outputs_.end()) outputs_.push_back(slot);
  }
}

}  // namespace accelerant::plan
