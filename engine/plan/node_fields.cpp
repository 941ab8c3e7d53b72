#include "plan/node_fields.h"

#include "base/error.h"

#include <algorithm>

namespace accelerant::plan {

using expressions::EvalMode;

NodeFields::NodeFields(const PlanMessage& message, int index)
    : message_(message), node_(message.node(index)), index_(index), taken_(node_.fields.size()) {}

void NodeFields::fail(std::string_view name, std::string_view why) const {
  std::string text = "field " + std::string(name) + " of " + std::string(short_name());
  if (!why.empty()) text += " " + std::string(why);
  throw_unsupported(text + " (Spark " + message_.spark_version + ")");
}

const FieldValue* NodeFields::take_if(std::string_view name) {
  for (size_t i = 0; i < node_.fields.size(); ++i) {
    if (node_.fields[i].name != name) continue;
    taken_[i] = true;
    return &node_.fields[i].value;
  }
  return nullptr;
}

const FieldValue& NodeFields::take(std::string_view name) {
  if (const FieldValue* value = take_if(name)) return *value;
  fail(name, "is missing");
}

bool NodeFields::take_bool(std::string_view name) {
  const FieldValue& value = take(name);
  if (const auto* flag = value.get_if<bool>()) return *flag;
  fail(name, "is " + kind_of(value));
}

bool NodeFields::take_bool_or(std::string_view name, bool otherwise) {
  const auto& fields = node_.fields;
  const bool has_it = std::ranges::find(fields, name, &NamedValue::name) != fields.end();
  return has_it ? take_bool(name) : otherwise;
}

bool NodeFields::take_bool_of_option(std::string_view name) {
  const FieldValue& value = take(name);
  const auto* option = value.get_if<List>();
  if (option && option->items.empty()) fail(name, "is not given");
  const auto* flag = option ? option->items.front().get_if<bool>() : nullptr;
  if (!flag) fail(name, "is " + kind_of(value));
  return *flag;
}

int64_t NodeFields::take_integer(std::string_view name) {
  const FieldValue& value = take(name);
  if (const auto* integer = value.get_if<int64_t>()) return *integer;
  fail(name, "is " + kind_of(value));
}

std::string_view NodeFields::take_text(std::string_view name) {
  const FieldValue& value = take(name);
  if (const auto* text = value.get_if<Text>()) return text->text;
  fail(name, "is " + kind_of(value));
}

std::vector<std::pair<std::string_view, std::string_view>> NodeFields::take_text_map(std::string_view name) {
  const auto* map = take(name).get_if<Map>();
  if (!map) fail(name);
  std::vector<std::pair<std::string_view, std::string_view>> texts;
  for (size_t i = 0; i + 1 < map->items.size(); i += 2) {
    const auto* key = map->items[i].get_if<Text>();
    const auto* value = map->items[i + 1].get_if<Text>();
    if (!key || !value) fail(name);
    texts.emplace_back(key->text, value->text);
  }
  return texts;
}

std::vector<double> NodeFields::take_numbers(std::string_view name) {
  const auto* list = take(name).get_if<List>();
  if (!list) fail(name);
  std::vector<double> numbers;
  for (const FieldValue& item : list->items) {
    const auto* number = item.get_if<double>();
    if (!number) fail(name, "holds " + kind_of(item));
    numbers.push_back(*number);
  }
  return numbers;
}

const types::DataType& NodeFields::take_type(std::string_view name) {
  const FieldValue& value = take(name);
  if (const auto* type = value.get_if<types::DataType>()) return *type;
  fail(name, "is " + kind_of(value));
}

int NodeFields::take_node(std::string_view name) {
  const FieldValue& value = take(name);
  if (const auto* reference = value.get_if<NodeReference>()) return reference->index;
  fail(name, "is " + kind_of(value));
}

std::vector<int> NodeFields::take_nodes(std::string_view name) {
  const FieldValue& value = take(name);
  const auto* list = value.get_if<List>();
  if (!list) fail(name, "is " + kind_of(value));
  std::vector<int> nodes;
  nodes.reserve(list->items.size());
  for (const FieldValue& item : list->items) {
    const auto* reference = item.get_if<NodeReference>();
    if (!reference) fail(name, "holds " + kind_of(item));
    nodes.push_back(reference->index);
  }
  return nodes;
}

std::optional<int> NodeFields::take_optional_node(std::string_view name) {
  const std::vector<int> nodes = take_nodes(name);
  if (nodes.size() > 1) fail(name, "is no option");
  return nodes.empty() ? std::nullopt : std::optional(nodes.front());
}

std::string_view NodeFields::take_enumerator(std::string_view name) {
  const FieldValue& value = take(name);
  if (const auto enumerator = enumerator_of(value)) return *enumerator;
  fail(name, "is " + kind_of(value));
}

EvalMode NodeFields::take_eval_mode(std::string_view name) {
  const FieldValue& value = take(name);
  if (const auto mode = eval_mode_of(value)) return *mode;
  fail(name, "is " + kind_of(value));
}

EvalMode NodeFields::take_context_mode() {
  const FieldValue& value = take("evalContext");
  const auto* context = value.get_if<Product>();
  if (!context || plan::short_name(context->class_name) != "NumericEvalContext")
    fail("evalContext", "is " + kind_of(value));
  std::optional<EvalMode> mode;
  for (const NamedValue& field : context->fields) {
    if (field.name == "evalMode") {
      mode = eval_mode_of(field.value);
    } else if (field.name != "allowDecimalPrecisionLoss" || !field.value.get_if<bool>()) {
      fail("evalContext." + std::string(field.name));
    }
  }
  if (!mode) fail("evalContext.evalMode");
  return *mode;
}

EvalMode NodeFields::take_mode() {
  for (const NamedValue& field : node_.fields) {
    if (field.name == "evalContext") return take_context_mode();
    if (field.name == "evalMode") return take_eval_mode("evalMode");
    if (field.name == "failOnError" || field.name == "ansiEnabled") {
      return take_bool(field.name) ? EvalMode::Ansi : EvalMode::Legacy;
    }
  }
  return EvalMode::Ansi;
}

void NodeFields::require_unset(std::string_view name) {
  const FieldValue* value = take_if(name);
  if (!value || value->is_null()) return;
  const auto* flag = value->get_if<bool>();
  const auto* list = value->get_if<List>();
  if ((flag && !*flag) || (list && list->items.empty())) return;
  fail(name);
}

void NodeFields::finish() const {
  for (size_t i = 0; i < taken_.size(); ++i) {
    if (!taken_[i]) fail(node_.fields[i].name);
  }
}

std::optional<std::string_view> enumerator_of(const FieldValue& value) {
  const auto* product = value.get_if<Product>();
  if (!product) return std::nullopt;
  if (product->fields.empty()) return short_name(product->class_name);
  const auto* text = product->fields.front().value.get_if<Text>();
  if (product->fields.size() > 1 || product->fields.front().name != "name" || !text) return std::nullopt;
  return text->text;
}

std::optional<expressions::EvalMode> eval_mode_of(const FieldValue& value) {
  const auto enumerator = enumerator_of(value);
  if (enumerator == "LEGACY") return expressions::EvalMode::Legacy;
  if (enumerator == "ANSI") return expressions::EvalMode::Ansi;
  if (enumerator == "TRY") return expressions::EvalMode::Try;
  return std::nullopt;
}

}  // namespace accelerant::plan
