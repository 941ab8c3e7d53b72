#include "base/error.h"
#include "plan/aggregate_filter.h"
#include "plan/aggregate_functions.h"
#include "plan/constants.h"
#include "plan/operator_rules.h"
#include "plan/sort_order.h"
#include "plan/step_fields.h"
#include "plan/window.h"
#include "plan/window_frame_rules.h"
#include "plan/window_input.h"
#include "types/same_values.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace accelerant::plan {

using expressions::Slot;
using types::DataType;
using types::TypeId;

namespace {

/// Binds the functions of a window, one after the other.
class WindowCalls {
 public:
  WindowCalls(WindowInput& input, std::span<const SortKey> order_keys, const std::vector<int>& orders)
      : input_(input), order_keys_(order_keys), orders_(orders) {}

  /// @param expression that a window's column stands for
  WindowCall bind(int expression) {
    NodeFields fields(message(), expression);
    if (fields.short_name() != "WindowExpression")
      throw_unsupported("expression " + std::string(fields.short_name()) + " of a window");
    const int function = fields.take_node("windowFunction");
    const int specification = fields.take_node("windowSpec");
    fields.finish();
    WindowCall call = bind_function(function);
    if (!message().node(function).type) throw_unsupported("a function of a window without a type");
    call.result_type = *message().node(function).type;
    call.frame = bind_frame_of(specification);
    if (call.kind == WindowKind::Aggregate) check_aggregate(call);
    return call;
  }

 private:
  const PlanMessage& message() const { return input_.message(); }

  WindowFrame bind_frame_of(int specification) {
    NodeFields fields(message(), specification);
    // They are those of the operator.
    for (const char* name : {"partitionSpec", "orderSpec"}) fields.ignore(name);
    const int frame = fields.take_node("frameSpecification");
    fields.finish();
    return bind_frame(input_, frame, order_keys_, orders_);
  }

  WindowCall bind_function(int index) {
    NodeFields fields(message(), index);
    if (fields.short_name() == "AggregateExpression") return bind_aggregate(index);
    const WindowFunction* function = find_window_function(fields.class_name());
    if (!function)
      throw_unsupported("window function " + std::string(fields.short_name()) + " (Spark " + message().spark_version +
                        ")");
    WindowCall call;
    call.kind = function->kind;
    switch (call.kind) {
      case WindowKind::NTile:
        call.number = take_number(fields, "buckets");
        break;
      case WindowKind::Shift:
        bind_shift(fields, call);
        break;
      case WindowKind::NthValue:
        bind_value(fields.take_node("input"), call);
        call.number = take_number(fields, "offset");
        call.ignores_nulls = fields.take_bool("ignoreNulls");
        break;
      case WindowKind::RowNumber:
      case WindowKind::Rank:
      case WindowKind::DenseRank:
      case WindowKind::PercentRank:
      case WindowKind::CumeDist:
      case WindowKind::LastValue:
      case WindowKind::Aggregate:
        fields.ignore("children");  // the order keys
    }
    fields.finish();
    return call;
  }

  int64_t take_number(NodeFields& fields, std::string_view name) {
    const int expression = fields.take_node(name);
    if (input_.bind(expression) == ExpressionBinder::kFailed) return 1;
    const int64_t number =
        input_.constant_int(expression, std::string(name) + " of " + std::string(fields.short_name()));
    if (number < 1) fields.fail(name, "is not positive");
    return number;
  }

  void bind_value(int expression, WindowCall& call) {
    if (input_.bind(expression) == ExpressionBinder::kFailed) return;
    if (input_.type_of(expression).is(TypeId::Null)) throw_unsupported("a window's value of type void");
    call.arguments = {input_.column_of(expression)};
  }

  void bind_shift(NodeFields& fields, WindowCall& call) {
    const bool is_lag = fields.short_name() == "Lag";
    const int value = fields.take_node("input");
    const int offset = fields.take_node(is_lag ? "inputOffset" : "offset");
    const int otherwise = fields.take_node("default");
    call.ignores_nulls = fields.take_bool("ignoreNulls");
    bind_value(value, call);
    if (input_.bind(offset) == ExpressionBinder::kFailed || input_.bind(otherwise) == ExpressionBinder::kFailed) return;
    call.number = input_.constant_int(offset, "offset of " + std::string(fields.short_name())) * (is_lag ? -1 : 1);
    // Spark fails in each partition that has fewer rows.
    if (call.ignores_nulls && call.number > 1) throw_unsupported("lead over several rows that ignores nulls");
    if (call.arguments.empty() || input_.is_null(otherwise)) return;
    if (!types::same_values(input_.type_of(otherwise), input_.type_of(value)))
      throw_unsupported("a default of another type than the value's");
    call.arguments.push_back(input_.column_of(otherwise));
  }

  WindowCall bind_aggregate(int index) {
    const AggregateExpression expression = read_aggregate_expression(message(), index);
    if (expression.mode != "Complete")
      throw_unsupported("a window's aggregate in mode " + std::string(expression.mode));
    AggregateFunction function = read_aggregate_function(message(), expression.function);
    if (expression.is_distinct) throw_unsupported("DISTINCT in a window");
    if (function.places) throw_unsupported("a pivot in a window");
    WindowCall call;
    call.kind = WindowKind::Aggregate;
    const functions::InFrame in_frame = function.call.description().in_frame;
    if (in_frame != functions::InFrame::Computed) {
      call.kind = in_frame == functions::InFrame::FirstValue ? WindowKind::NthValue : WindowKind::LastValue;
      const std::string_view name = short_name(message().node(expression.function).class_name);
      if (expression.filter) throw_unsupported("FILTER of " + std::string(name) + " in a window");
      bind_value(function.arguments.front(), call);
      call.number = 1;
      call.ignores_nulls = function.call.options.ignores_nulls;
      return call;
    }
    bind_arguments(function, expression.filter, call);
    return call;
  }

  void bind_arguments(AggregateFunction& function, std::optional<int> filter, WindowCall& call) {
    const std::vector<Slot> slots = input_.binder().bind_all(function.arguments);
    const std::vector<Slot> orders = input_.binder().bind_all(function.orders);
    if (!orders.empty() && !order_by_themselves(function, orders, slots.front()))
      throw_unsupported("aggregate " + std::string(function.call.name()) +
                        " of a window in the order of another value");
    call.aggregate = function.call;
    if (filter && input_.bind(*filter) == ExpressionBinder::kFailed) return;
    if (std::ranges::find(slots, ExpressionBinder::kFailed) != slots.end()) return;
    std::vector<int> arguments = function.arguments;
    // What only counts rows reads no value that is never null.
    if (call.aggregate.description().counts_rows) {
      std::erase_if(arguments, [this](int argument) { return !message().node(argument).nullable; });
    }
    filter ? place_filtered(arguments, *filter, call) : place(arguments, call);
    call.aggregate.overload = call.aggregate.function->overload_for(call.aggregate);
    if (!call.aggregate.overload) throw_unsupported("aggregate " + std::string(call.aggregate.name()) + " of a window");
  }

  void place(const std::vector<int>& arguments, WindowCall& call) {
    for (const int argument : arguments) {
      call.arguments.push_back(input_.column_of(argument));
      call.aggregate.argument_types.push_back(input_.type_of(argument));
    }
  }

  void place_filtered(const std::vector<int>& arguments, int filter, WindowCall& call) {
    expressions::ProgramBuilder& builder = input_.binder().builder();
    std::vector<Slot> values = input_.binder().bind_all(arguments);
    add_filter(builder, call.aggregate, input_.bind(filter), values);
    for (const Slot value : values) {
      call.arguments.push_back(input_.column_of_slot(value));
      call.aggregate.argument_types.push_back(builder.type(value));
    }
  }

  /// Refuses frames that go through all their values for each row where Spark takes in each value once.
  static void check_aggregate(const WindowCall& call) {
    if (!call.aggregate.overload || !call.aggregate.overload->collects) return;
    const bool grows = call.frame.lower.kind == FrameBound::Kind::Unbounded && !call.frame.is_whole_partition();
    const bool gives_all = call.aggregate.overload->gives_list() && !call.aggregate.description().is_distinct;
    if (grows && !gives_all)
      throw_unsupported(std::string(call.aggregate.name()) + " over a growing frame of a window");
  }

  WindowInput& input_;
  const std::span<const SortKey> order_keys_;
  const std::vector<int>& orders_;
};

/// Binds the keys of a window: its partitions are in ascending order.
/// @return the expressions of the order
std::vector<int> bind_keys(WindowInput& input, const std::vector<int>& partition, const std::vector<int>& orders,
                           Window& node) {
  std::vector<int> expressions;
  for (const int key : partition) {
    input.bind(key);
    expressions.push_back(key);
    node.keys.emplace_back();
  }
  node.num_partition_keys = partition.size();
  for (const int index : orders) {
    const Order order = read_order(input.message(), index);
    input.bind(order.expression);
    expressions.push_back(order.expression);
    node.keys.push_back(order.key);
  }
  input.binder().throw_if_failed();
  for (size_t i = 0; i < expressions.size(); ++i) {
    const DataType& type = input.type_of(expressions[i]);
    if (type.is(TypeId::Null) || !may_be_key(type))
      throw_unsupported("a window by a column of type " + type.to_string());
    node.keys[i].column = input.column_of(expressions[i]);
  }
  expressions.erase(expressions.begin(), expressions.begin() + static_cast<ptrdiff_t>(partition.size()));
  return expressions;
}

/// Binds functions, and adds the columns that they give.
void bind_calls(WindowCalls& calls, WindowInput& input, const std::vector<int>& expressions, Window& node,
                std::vector<Attribute>& attributes) {
  for (const int expression : expressions) {
    try {
      Attribute given = named_attribute(input.message(), expression);
      given.position = static_cast<int>(attributes.size());
      NodeFields alias(input.message(), expression);
      if (alias.short_name() != "Alias") throw_unsupported("expression " + std::string(alias.short_name()));
      node.calls.push_back(calls.bind(alias.take_node("child")));
      node.calls.back().num_keys = node.keys.size();
      if (!types::same_values(node.calls.back().result_type, given.column.type))
        throw_unsupported("column " + given.column.name + " of another type than its function's");
      attributes.push_back(std::move(given));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Unsupported) throw;
      input.binder().note(error.message());
    }
  }
}

}  // namespace

Relation Window::bind(Binding& binding, NodeFields& fields) {
  const std::vector<int> expressions = fields.take_nodes("windowExpression");
  const std::vector<int> partition = fields.take_nodes("partitionSpec");
  const std::vector<int> orders = fields.take_nodes("orderSpec");
  Relation relation = binding.input(fields.take_node("child"));
  fields.require_unset("isSkew");
  fields.ignore("output");
  fields.finish();
  auto node = std::make_shared<Window>();
  WindowInput input(binding.message(), relation);
  const std::vector<int> order_expressions = bind_keys(input, partition, orders, *node);
  std::vector<Attribute> attributes = relation.attributes;
  for (size_t i = 0; i < attributes.size(); ++i) {
    node->passed.push_back(attributes[i].position);
    attributes[i].position = static_cast<int>(i);
  }
  WindowCalls calls(input, std::span(node->keys).subspan(node->num_partition_keys), order_expressions);
  bind_calls(calls, input, expressions, *node, attributes);
  node->computed = input.finish();
  node->plan_node = fields.index();
  node->output = columns_of(attributes);
  node->inputs = {relation.node};
  return {std::move(node), std::move(attributes)};
}

}  // namespace accelerant::plan
