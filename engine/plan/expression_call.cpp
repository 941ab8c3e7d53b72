#include "plan/expression_call.h"

#include "base/error.h"
#include "expressions/registry.h"
#include "plan/constants.h"
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

Slot ExpressionCall::integer(int64_t number, const DataType& type) const {
  const Value value{number};
  const Value* values[] = {&value};
  return builder().literal(make_constants(values, type));
}

Slot ExpressionCall::call_function(std::string_view name, std::vector<Slot> arguments, const DataType& result) const {
  const std::string spark_class = "org.apache.spark.sql.catalyst.expressions." + std::string(name);
  return builder().call(spark_class, std::move(arguments), result, expressions::EvalMode::Ansi, fields.index());
}

Slot ExpressionCall::java_version() const {
  const std::string_view version = setting_or(binder.message(), kJavaVersion, "");
  int number = 0;
  const auto read = std::from_chars(version.data(), version.data() + version.size(), number);
  if (read.ec != std::errc() || read.ptr != version.data() + version.size()) {
    throw_unsupported("expression " + std::string(fields.short_name()) + " on Java " + std::string(version));
  }
  return integer(number);
}

std::vector<Slot> ExpressionCall::take_arguments() {
  std::vector<Slot> arguments;
  for (const NamedValue& field : fields.node().fields) {
    const bool is_node = field.value.get_if<NodeReference>() != nullptr;
    const auto* list = field.value.get_if<List>();
    const bool is_nodes = list && !list->items.empty() && list->items.front().get_if<NodeReference>();
    if (!is_node && !is_nodes) continue;
    const std::vector<int> nodes =
        is_node ? std::vector<int>{fields.take_node(field.name)} : fields.take_nodes(field.name);
    for (const int node : nodes) arguments.push_back(slot(node));
  }
  return arguments;
}

std::shared_ptr<const types::ZoneRules> ExpressionCall::take_zone() {
  const Value* value = fields.take_if("timeZoneId");
  const auto* option = value ? value->get_if<List>() : nullptr;
  const auto* id = option && option->items.size() == 1 ? option->items.front().get_if<Text>() : nullptr;
  return id ? binder.message().find_zone(id->text) : nullptr;
}

void ExpressionCall::require_type(Slot value, const DataType& expected) const {
  const DataType& found = builder().type(value);
  if (found == expected) return;
  throw_unsupported("expression " + std::string(fields.short_name()) + " over " + found.to_string() + " where " +
                    expected.to_string() + " is due");
}

void ExpressionCall::require_function() const {
  if (expressions::find_functions(fields.class_name()).empty()) {
    throw_unsupported("expression " + std::string(fields.short_name()) + " (Spark " + binder.message().spark_version +
                      ")");
  }
}

}  // namespace accelerant::plan
