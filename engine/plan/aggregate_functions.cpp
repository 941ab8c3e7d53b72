#include "plan/aggregate_functions.h"

#include "aggregates/registry.h"
#include "base/error.h"
#include "functions/aggregate/hash_registers.h"

#include <string_view>

namespace accelerant::plan {

namespace {

using functions::AggregateDescription;

void read_arguments(NodeFields& fields, AggregateFunction& function) {
  const AggregateDescription& description = function.call.description();
  if (!description.fields[0]) function.arguments = fields.take_nodes("children");
  for (const char* name : description.fields) {
    if (name) function.arguments.push_back(fields.take_node(name));
  }
  for (const char* name : description.unset) {
    if (name) fields.require_unset(name);
  }
}

bool is_literal(const PlanMessage& message, int index) {
  return short_name(message.node(index).class_name) == "Literal";
}

/// Fails unless fields hold the literals that they must.
void check_literals(const PlanMessage& message, NodeFields& fields) {
  const AggregateDescription& description = *aggregates::find_function(fields.class_name())->description;
  for (const char* name : description.literals) {
    if (name && !is_literal(message, fields.take_node(name))) fields.fail(name, ", which is no literal");
  }
  if (!description.one) return;
  const int index = fields.take_node(description.one);
  if (!is_literal(message, index) || NodeFields(message, index).take_integer("value") != 1) {
    fields.fail(description.one, ", which is not 1");
  }
}

/// Returns which of two enumerators a field holds: whether it is the second.
bool is_second(NodeFields& fields, const char* name, std::string_view first, std::string_view second) {
  const std::string_view found = fields.take_enumerator(name);
  if (found != first && found != second) fields.fail(name);
  return found == second;
}

/// Reads what the values are ordered by.
void read_orders(const PlanMessage& message, NodeFields& fields, AggregateFunction& function) {
  const char* name = function.call.description().order;
  if (!name) return;
  for (const int index : fields.take_nodes(name)) {
    NodeFields order(message, index);
    function.orders.push_back(order.take_node("child"));
    function.call.orders.push_back({is_second(order, "direction", "Ascending", "Descending"),
                                    is_second(order, "nullOrdering", "NullsFirst", "NullsLast")});
    order.ignore("sameOrderExpressions");
    order.finish();
  }
}

/// Reads the constants among which values have their places.
void read_places(NodeFields& fields, AggregateFunction& function) {
  const char* name = function.call.description().places;
  if (!name) return;
  function.places = &fields.take(name);
  const auto* list = function.places->get_if<List>();
  if (!list || list->items.empty()) fields.fail(name);
  function.call.options.num_places = static_cast<int32_t>(list->items.size());
}

/// Reads what is neither an argument nor an order: of all fields that a function may have, those that it has.
void read_numbers(NodeFields& fields, AggregateCall& call) {
  const AggregateDescription& description = call.description();
  if (description.ignored) fields.ignore(description.ignored);
  if (description.precision) {
    const int64_t precision = fields.take_integer(description.precision);
    using Registers = functions::HashRegisters;
    if (precision < Registers::kLeastPrecision || precision > Registers::kMostPrecision) {
      fields.fail(description.precision, "is " + std::to_string(precision));
    }
    call.options.precision = static_cast<int>(precision);
  }
  if (description.numbers) call.numbers = fields.take_numbers(description.numbers);
}

/// Intervals overflow alike with ANSI and without.
expressions::EvalMode take_eval_mode(NodeFields& fields, const types::DataType& result) {
  const expressions::EvalMode mode = fields.take_mode();
  const bool is_legacy = mode == expressions::EvalMode::Legacy;
  return is_legacy && functions::is_interval(static_cast<uint8>(result.id())) ? expressions::EvalMode::Ansi : mode;
}

void read_flags(NodeFields& fields, AggregateCall& call) {
  for (const functions::AggregateFlag& flag : call.function->flags) {
    bool& option = call.options.*flag.option;
    if (flag.is_option) {
      option = fields.take_bool_of_option(flag.field);
      continue;
    }
    option = flag.may_be_missing ? fields.take_bool_or(flag.field, option) : fields.take_bool(flag.field);
  }
  // Where an interpreted function's state lies in a row of Spark's.
  for (const char* name : {"mutableAggBufferOffset", "inputAggBufferOffset"}) fields.ignore(name);
}

void read_version(const PlanMessage& message, AggregateCall& call) {
  call.options.before_43 = message.spark_version < "4.3";
  if (!call.description().differs_by_version || message.spark_version.starts_with("4.3")) return;
  if (message.spark_version.starts_with("4.1")) return;
  throw_unsupported("aggregate " + std::string(short_name(call.description().spark_class)) + " (Spark " +
                    message.spark_version + ")");
}

}  // namespace

bool order_by_themselves(AggregateFunction& function, std::span<const expressions::Slot> orders,
                         expressions::Slot value) {
  if (orders.empty()) return true;
  if (orders.size() > 1 || orders.front() != value) return false;
  AggregateCall& call = function.call;
  call.options.is_ordered = true;
  call.options.descending = call.orders.front().descending;
  call.orders.clear();
  return true;
}

AggregateFunction read_aggregate_function(const PlanMessage& message, int index) {
  NodeFields fields(message, index);
  AggregateFunction function;
  AggregateCall& call = function.call;
  call.function = aggregates::find_function(fields.class_name());
  if (!call.function || !fields.node().type)
    throw_unsupported("aggregate " + std::string(fields.short_name()) + " (Spark " + message.spark_version + ")");
  call.result_type = *fields.node().type;
  call.nullable = fields.node().nullable;
  call.expression = index;
  call.distinct = call.description().is_distinct;
  call.options.ignores_nulls = !call.description().takes_null_values;
  read_arguments(fields, function);
  check_literals(message, fields);
  read_orders(message, fields, function);
  read_places(fields, function);
  read_numbers(fields, call);
  call.mode = take_eval_mode(fields, call.result_type);
  read_flags(fields, call);
  read_version(message, call);
  fields.finish();
  return function;
}

}  // namespace accelerant::plan
