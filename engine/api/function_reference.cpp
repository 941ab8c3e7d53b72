#include "api/function_reference.h"

#include "aggregates/registry.h"
#include "expressions/column_function.h"
#include "expressions/registry.h"
#include "plan/window_function.h"

#include <algorithm>
#include <string_view>

namespace accelerant::api {

namespace {

std::string name_of(types::TypeId id) {
  if (id == types::TypeId{0}) return "any";
  if (id == types::TypeId::Array) return "array<double>";  // the only ones that are arguments
  return id == types::TypeId::Decimal ? "decimal" : types::DataType(id).to_string();
}

std::string line_of(const functions::Description& description, const expressions::Overload& overload) {
  std::string arguments;
  for (size_t i = 0; i + description.takes_java < overload.arguments.size(); ++i) {
    arguments += (i == 0 ? "" : ",") + name_of(overload.arguments[i]);
  }
  return std::string(description.spark_class) + "\t" + description.sql + "\t" + arguments + "\t" +
         name_of(overload.result) + "\t" + description.text + "\n";
}

std::string line_of(const functions::Description& description, const expressions::TypePattern& signature) {
  return std::string(description.spark_class) + "\t" + description.sql + "\t" + signature.arguments_text() + "\t" +
         signature.result_text() + "\t" + description.text + "\n";
}

std::string words_of(const aggregates::Function& function, const aggregates::Overload& overload) {
  std::string words;
  const auto add = [&](bool is_so, const char* word) {
    if (is_so) words += (words.empty() ? "" : ",") + std::string(word);
  };
  add(function.description->order_sensitive, "order-sensitive");
  add(function.description->is_distinct, "distinct");
  add(overload.can_fail != nullptr, "can-fail");
  add(!function.description->gives_values, "computed");
  for (size_t i = 0; i < std::size(function.description->fields); ++i) {
    const char* field = function.description->fields[i];
    const bool is_literal = std::ranges::any_of(function.description->literals, [&](const char* name) {
      return field && name && std::string_view(field) == name;
    });
    add(is_literal, ("literal-" + std::to_string(i)).c_str());
  }
  return words;
}

std::string line_of(const aggregates::Function& function, const aggregates::Overload& overload) {
  std::string arguments;
  for (const types::TypeId argument : overload.arguments)
    arguments += (arguments.empty() ? "" : ",") + name_of(argument);
  const std::string first = overload.arguments.empty() ? "" : name_of(overload.arguments.front());
  std::string result = name_of(overload.result);
  if (overload.gives_list()) result = "array<" + first + ">";
  if (overload.rule == aggregates::ResultRule::ListOfItself) result = "array<" + result + ">";
  const functions::AggregateDescription& description = *function.description;
  return std::string(description.spark_class) + "\t" + description.sql + "\t" + arguments + "\t" + result + "\t" +
         words_of(function, overload) + "\t" + description.text + "\n";
}

}  // namespace

std::string aggregate_reference() {
  std::string text;
  for (const aggregates::Function* function : aggregates::all_functions()) {
    for (const aggregates::Overload& overload : function->overloads) text += line_of(*function, overload);
  }
  return text;
}

std::string window_reference() {
  std::string text;
  for (const plan::WindowFunction& function : plan::window_functions()) {
    for (const std::string_view word : {function.spark_class, function.sql, function.arguments, function.result}) {
      text.append(word).append("\t");
    }
    text.append(function.text).append("\n");
  }
  return text;
}

std::string function_reference() {
  std::string text;
  for (const expressions::Function* function : expressions::all_functions()) {
    const functions::Description& description = *function->description;
    for (const expressions::Overload& overload : function->overloads) text += line_of(description, overload);
    if (!function->columns) continue;
    for (const expressions::TypePattern& signature : function->columns->signatures) {
      text += line_of(description, signature);
    }
  }
  return text;
}

}  // namespace accelerant::api

const char* accelerant_function_reference() {
  static const std::string kText = accelerant::api::function_reference();
  return kText.c_str();
}

const char* accelerant_aggregate_reference() {
  static const std::string kText = accelerant::api::aggregate_reference();
  return kText.c_str();
}

const char* accelerant_window_reference() {
  static const std::string kText = accelerant::api::window_reference();
  return kText.c_str();
}
