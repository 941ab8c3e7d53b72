#include "plan/expression_rules.h"

#include "base/error.h"
#include "expressions/registry.h"
#include "functions/cast/cast.h"
#include "plan/constants.h"
#include "plan/expression_call.h"
#include "plan/lambdas.h"
#include "types/same_values.h"

#include <optional>
#include <string>
#include <vector>

namespace accelerant::plan {

using expressions::EvalMode;
using expressions::Slot;
using types::DataType;
using types::TypeId;

namespace {

constexpr std::string_view kScalarSubquery = "org.apache.spark.sql.execution.ScalarSubquery";
constexpr std::string_view kEqualTo = "org.apache.spark.sql.catalyst.expressions.EqualTo";

Slot bind_literal(ExpressionCall& call) {
  const FieldValue* value = &call.fields.take("value");
  call.fields.finish();
  return call.builder().literal(make_constants({&value, 1}, call.type()));
}

Slot bind_attribute(ExpressionCall& call) {
  const Attribute wanted = read_attribute(call.binder.message(), call.fields.index());
  const Attribute* found = call.binder.find_attribute(wanted.expr_id);
  const std::string name = wanted.column.name + "#" + std::to_string(wanted.expr_id);
  if (!found) throw_unsupported("column " + name + " is not among the input's");
  // Optimised in part, a plan may say other things of which elements may be null; the input knows.
  if (!types::same_values(found->column.type, wanted.column.type)) {
    throw_unsupported("column " + name + " is " + wanted.column.type.to_string() + ", the input's is " +
                      found->column.type.to_string());
  }
  return call.builder().input(found->position, found->column.type, found->column.nullable, call.fields.index());
}

Slot bind_lambda_variable(ExpressionCall& call) {
  const Attribute variable = read_variable(call.binder.message(), call.fields.index());
  const Attribute* found = call.binder.find_attribute(variable.expr_id);
  if (!found) throw_unsupported("a variable of a lambda around it");
  return call.builder().input(found->position, found->column.type, found->column.nullable, call.fields.index());
}

Slot bind_alias(ExpressionCall& call) {
  const int child = call.fields.take_node("child");
  for (const char* name : {"name", "exprId", "metadata"}) call.fields.ignore(name);
  call.fields.finish();
  return call.slot(child);
}

/// Wrappers that tell the optimiser something and compute nothing.
Slot bind_wrapper(ExpressionCall& call) {
  const int child = call.fields.take_node("child");
  call.fields.finish();
  call.require_type(call.slot(child), call.type());
  return call.slot(child);
}

Slot bind_and_or(ExpressionCall& call) {
  const std::vector<Slot> operands = call.slots(call.children);
  for (const Slot operand : operands) call.require_type(operand, DataType(TypeId::Boolean));
  if (operands.size() == 1) return operands.front();
  return call.fields.short_name() == "And" ? call.builder().conjunction(operands)
                                           : call.builder().disjunction(operands);
}

Slot bind_if(ExpressionCall& call) {
  const Slot predicate = call.slot(call.fields.take_node("predicate"));
  const Slot yes = call.slot(call.fields.take_node("trueValue"));
  const Slot no = call.slot(call.fields.take_node("falseValue"));
  call.fields.finish();
  call.require_type(predicate, DataType(TypeId::Boolean));
  call.require_type(yes, call.type());
  call.require_type(no, call.type());
  return call.builder().case_when({{predicate, yes}}, no, call.type());
}

/// Reads a branch of CASE WHEN, a scala.Tuple2 of nodes.
std::pair<int, int> branch_of(const NodeFields& fields, const FieldValue& value) {
  const auto* tuple = value.get_if<Product>();
  if (tuple && tuple->fields.size() == 2) {
    const auto* condition = tuple->fields[0].value.get_if<NodeReference>();
    const auto* result = tuple->fields[1].value.get_if<NodeReference>();
    if (condition && result) return {condition->index, result->index};
  }
  fields.fail("branches", "holds " + kind_of(value));
}

Slot bind_case_when(ExpressionCall& call) {
  const auto* list = call.fields.take("branches").get_if<List>();
  if (!list) call.fields.fail("branches");
  const std::optional<int> otherwise = call.fields.take_optional_node("elseValue");
  call.fields.finish();
  std::vector<std::pair<Slot, Slot>> branches;
  for (const FieldValue& item : list->items) {
    const auto [condition, result] = branch_of(call.fields, item);
    call.require_type(call.slot(condition), DataType(TypeId::Boolean));
    call.require_type(call.slot(result), call.type());
    branches.emplace_back(call.slot(condition), call.slot(result));
  }
  if (otherwise) call.require_type(call.slot(*otherwise), call.type());
  return call.builder().case_when(std::move(branches), otherwise ? std::optional(call.slot(*otherwise)) : std::nullopt,
                                  call.type());
}

Slot bind_coalesce(ExpressionCall& call) {
  const std::vector<int> children = call.fields.take_nodes("children");
  call.fields.finish();
  for (const int child : children) call.require_type(call.slot(child), call.type());
  return call.builder().coalesce(call.slots(children), call.type());
}

/// Returns the values of nodes that are all literals, else nothing.
std::optional<std::vector<const FieldValue*>> literals_of(const PlanMessage& message, std::span<const int> nodes) {
  std::vector<const FieldValue*> values;
  for (const int index : nodes) {
    if (short_name(message.node(index).class_name) != "Literal") return std::nullopt;
    values.push_back(&NodeFields(message, index).take("value"));
  }
  return values;
}

/// A scalar subquery's value, which the query computes before; it goes by the number of the subquery's topmost node.
Slot bind_scalar_subquery(ExpressionCall& call) {
  const int plan = call.fields.take_node("plan");
  call.fields.ignore("exprId");
  call.fields.finish();
  if (call.binder.is_in_lambda()) throw_unsupported("a scalar subquery in a lambda");
  const std::vector<Attribute> output = read_output(call.binder.message(), plan);
  if (output.size() != 1 || !types::same_values(output.front().column.type, call.type())) {
    call.fields.fail("plan", "is of another type");
  }
  return call.builder().parameter(plan, call.type());
}

/// IN over literals is a set; over expressions it is `value = a OR value = b ...`, which has the same three values.
Slot bind_in(ExpressionCall& call) {
  const Slot value = call.slot(call.fields.take_node("value"));
  const std::vector<int> list = call.fields.take_nodes("list");
  call.fields.finish();
  if (list.empty()) call.fields.fail("list", "is empty");
  const DataType type = call.builder().type(value);
  for (const int item : list) call.require_type(call.slot(item), type);
  if (const auto literals = literals_of(call.binder.message(), list)) {
    return call.builder().in_list(value, make_constants(*literals, type));
  }
  std::vector<Slot> equalities;
  for (const int item : list) {
    equalities.push_back(call.builder().call(kEqualTo, {value, call.slot(item)}, DataType(TypeId::Boolean),
                                             EvalMode::Ansi, call.fields.index()));
  }
  return equalities.size() == 1 ? equalities.front() : call.builder().disjunction(std::move(equalities));
}

Slot bind_in_set(ExpressionCall& call) {
  const Slot value = call.slot(call.fields.take_node("child"));
  const auto* list = call.fields.take("hset").get_if<List>();
  if (!list || list->items.empty()) call.fields.fail("hset");
  call.fields.finish();
  std::vector<const FieldValue*> values;
  for (const FieldValue& item : list->items) values.push_back(&item);
  return call.builder().in_list(value, make_constants(values, call.builder().type(value)));
}

/// A cast to the type of a table's column, whose errors name that: it is tried, and what it makes null fails here.
Slot bind_insert_check(ExpressionCall& call) {
  const int cast = call.fields.take_node("child");
  call.fields.ignore("columnName");
  call.fields.finish();
  if (!call.builder().can_fail(call.slot(cast))) return call.slot(cast);
  ExpressionCall inner(call.binder, NodeFields(call.binder.message(), cast), {});
  if (inner.fields.short_name() != "Cast" || inner.mode() != EvalMode::Ansi) call.refuse("of another cast");
  const Slot value = inner.argument("child");
  if (value < 0) call.refuse("of what Spark's code computes");
  // Spark makes null of floats that are not finite.
  if (call.type_of(value).is_floating() && call.type().is_decimal()) call.refuse("of floats as decimals");
  const Slot tried = functions::Cast::cast(inner, value, inner.type(), EvalMode::Try, inner.zone());
  return call.call("io.accelerant.CheckedCast", {value, tried});
}

/// Calls of methods that Spark has no expression for: what an expression of Spark's computes, or functions of their
/// own, which methods name.
Slot bind_static_invoke(ExpressionCall& call) {
  static const std::unordered_map<std::string_view, std::string_view> kFunctions = {
      {"org.apache.spark.unsafe.array.ByteArrayMethods.contains", "org.apache.spark.sql.catalyst.expressions.Contains"},
      {"org.apache.spark.unsafe.array.ByteArrayMethods.startsWith",
       "org.apache.spark.sql.catalyst.expressions.StartsWith"},
      {"org.apache.spark.unsafe.array.ByteArrayMethods.endsWith", "org.apache.spark.sql.catalyst.expressions.EndsWith"},
  };
  const std::string_view method = call.fields.take_text("method");
  std::vector<Slot> arguments = call.slots(call.fields.take_nodes("arguments"));
  call.fields.finish();
  const auto found = kFunctions.find(method);
  const std::string_view function = found == kFunctions.end() ? method : found->second;
  if (expressions::find_functions(function).empty()) throw_unsupported("method " + std::string(method));
  return call.builder().call(function, std::move(arguments), call.type(), EvalMode::Ansi, call.fields.index());
}

/// Any class that is a function. Unless its header says otherwise, nodes in the order of the fields are its arguments,
/// and it may have fields for the mode and the time zone.
Slot bind_function(ExpressionCall& call) {
  call.require_function();
  for (const expressions::Function* function : expressions::find_functions(call.spark_class())) {
    if (function->bind) return function->bind(call);
  }
  const EvalMode mode = call.mode();
  const auto zone = call.zone();
  std::vector<Slot> arguments = call.arguments();
  call.finish();
  return call.call(std::move(arguments), mode, zone);
}

constexpr std::string_view kExpressionPackage = "org.apache.spark.sql.catalyst.expressions.";

/// Classes that are no functions, by their name below kExpressionPackage.
const RuleMap& rules() {
  static const RuleMap kRules = {
      {"Literal", bind_literal},
      {"AttributeReference", bind_attribute},
      {"NamedLambdaVariable", bind_lambda_variable},
      {"Alias", bind_alias},
      {"And", bind_and_or},
      {"Or", bind_and_or},
      {"If", bind_if},
      {"CaseWhen", bind_case_when},
      {"Coalesce", bind_coalesce},
      {"In", bind_in},
      {"InSet", bind_in_set},
      {"CheckOverflowInTableInsert", bind_insert_check},
      {"KnownNotNull", bind_wrapper},
      {"KnownNullable", bind_wrapper},
      {"KnownNotContainsNull", bind_wrapper},
      {"KnownFloatingPointNormalized", bind_wrapper},
      {"PromotePrecision", bind_wrapper},
      {"objects.StaticInvoke", bind_static_invoke},
  };
  return kRules;
}

Rule find_rule(std::string_view class_name) {
  if (class_name == kScalarSubquery) return bind_scalar_subquery;
  if (!class_name.starts_with(kExpressionPackage)) return nullptr;
  const auto found = rules().find(class_name.substr(kExpressionPackage.size()));
  return found == rules().end() ? nullptr : found->second;
}

}  // namespace

void require_known_class(const PlanMessage& message, int expression) {
  const std::string_view class_name = message.node(expression).class_name;
  if (find_rule(class_name) || !expressions::find_functions(class_name).empty()) return;
  throw_unsupported("expression " + std::string(short_name(class_name)) + " (Spark " + message.spark_version + ")");
}

Slot apply_rule(ExpressionBinder& binder, int expression, std::span<const int> children) {
  ExpressionCall call(binder, NodeFields(binder.message(), expression), children);
  const Rule rule = find_rule(call.fields.class_name());
  return rule ? rule(call) : bind_function(call);
}

}  // namespace accelerant::plan
