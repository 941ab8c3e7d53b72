#include "plan/expression_call.h"

#include "base/error.h"
#include "expressions/instruction.h"
#include "expressions/registry.h"
#include "plan/constants.h"
#include "plan/lambdas.h"
#include "plan/settings.h"

#include <charconv>
#include <string>
#include <utility>

namespace accelerant::plan {

using expressions::Slot;
using types::DataType;

std::vector<Slot> ExpressionCall::slots(std::span<const int> expressions) const {
  std::vector<Slot> result;
  result.reserve(expressions.size());
  for (const int expression : expressions) result.push_back(slot(expression));
  return result;
}

std::optional<Slot> ExpressionCall::argument_if(std::string_view field) {
  const std::optional<int> node = fields.take_optional_node(field);
  return node ? std::optional(slot(*node)) : std::nullopt;
}

Slot ExpressionCall::constant(int64_t number, const DataType& type) const {
  const FieldValue value{number};
  const FieldValue* values[] = {&value};
  return builder().literal(make_constants(values, type));
}

Slot ExpressionCall::constant_text(std::string_view text) const {
  const FieldValue value{Bytes{text}};
  const FieldValue* values[] = {&value};
  return builder().literal(make_constants(values, DataType(types::TypeId::String)));
}

bool ExpressionCall::has_value(const functions::Setting& setting) const {
  return equal_setting_values(setting_or(binder.message(), setting.name, setting.value), setting.value);
}

void ExpressionCall::refuse(std::string_view why) const {
  throw_unsupported("expression " + std::string(fields.short_name()) + " " + std::string(why));
}

Slot ExpressionCall::java_version() const {
  const std::string_view version = setting_or(binder.message(), kJavaVersion, "");
  int number = 0;
  const auto read = std::from_chars(version.data(), version.data() + version.size(), number);
  if (read.ec != std::errc() || read.ptr != version.data() + version.size()) {
    refuse("on Java " + std::string(version));
  }
  return constant(number, DataType(types::TypeId::Int));
}

std::vector<Slot> ExpressionCall::arguments() {
  std::vector<Slot> found;
  for (const NamedValue& field : fields.node().fields) {
    const bool is_node = field.value.get_if<NodeReference>() != nullptr;
    const auto* list = field.value.get_if<List>();
    const bool is_nodes = list && !list->items.empty() && list->items.front().get_if<NodeReference>();
    if (!is_node && !is_nodes) continue;
    const std::vector<int> nodes =
        is_node ? std::vector<int>{fields.take_node(field.name)} : fields.take_nodes(field.name);
    for (const int node : nodes) found.push_back(slot(node));
  }
  return found;
}

std::shared_ptr<const types::ZoneRules> ExpressionCall::zone() {
  const FieldValue* value = fields.take_if("timeZoneId");
  const auto* option = value ? value->get_if<List>() : nullptr;
  const auto* id = option && option->items.size() == 1 ? option->items.front().get_if<Text>() : nullptr;
  return id ? binder.message().find_zone(id->text) : nullptr;
}

std::shared_ptr<const types::ZoneRules> ExpressionCall::zone_argument(std::string_view field) {
  const int node = fields.take_node(field);
  if (short_name(binder.message().node(node).class_name) != "Literal") fields.fail(field, "is no literal");
  const auto* id = NodeFields(binder.message(), node).take("value").get_if<Bytes>();
  return id ? binder.message().find_zone(id->bytes) : nullptr;
}

expressions::BoundLambda ExpressionCall::lambda(std::string_view field) {
  const PlanMessage& message = binder.message();
  const int node = fields.take_node(field);
  NodeFields lambda(message, node);
  if (lambda.short_name() != "LambdaFunction") fields.fail(field, "is no lambda");
  const int body = lambda.take_node("function");
  const std::vector<int> arguments = lambda.take_nodes("arguments");
  lambda.require_unset("hidden");
  lambda.finish();
  expressions::BoundLambda bound{nullptr, arguments.size(), {}};
  std::vector<Attribute> scope;
  const auto add = [&](int expression) {
    scope.push_back(read_variable(message, expression));
    scope.back().position = static_cast<int>(scope.size()) - 1;
  };
  for (const int argument : arguments) add(argument);
  for (const int captured : captured_by(message, node)) {
    add(captured);
    if (slot(captured) < 0) throw_unsupported("a lambda over column " + scope.back().column.name);
    bound.captured.push_back(slot(captured));
  }
  ExpressionBinder inner(message, scope, ExpressionBinder::Lacking::Refused);
  const Slot result[] = {inner.bind(body)};
  bound.program = inner.finish(result);
  if (expressions::leaves_rows(bound.program->parts())) refuse("of a lambda with rows for Spark");
  return bound;
}

void ExpressionCall::require_function() const {
  if (expressions::find_functions(fields.class_name()).empty()) {
    refuse("(Spark " + binder.message().spark_version + ")");
  }
}

}  // namespace accelerant::plan
