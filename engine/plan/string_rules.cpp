#include "plan/string_rules.h"

#include "base/error.h"
#include "functions/string/like_pattern.h"
#include "plan/constants.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace accelerant::plan {

using expressions::EvalMode;
using expressions::Slot;
using types::DataType;
using types::TypeId;

namespace {

constexpr std::string_view kConcat = "org.apache.spark.sql.catalyst.expressions.Concat";
constexpr std::string_view kIsNull = "org.apache.spark.sql.catalyst.expressions.IsNull";

Slot string_literal(const ExpressionCall& call, std::string_view text) {
  const Value value{Bytes{text}};
  const Value* values[] = {&value};
  return call.builder().literal(make_constants(values, DataType(TypeId::String)));
}

/// Returns the text of a constant, or nullptr for what is not constant or null.
const types::StringRef* find_text(const columns::ColumnPtr& constant, types::StringRef& text) {
  if (!constant || constant->is_null(0)) return nullptr;
  text = constant->string_at(0);
  return &text;
}

/// Joins one to three strings, null if one is.
Slot join(const ExpressionCall& call, std::vector<Slot> parts) {
  if (parts.size() == 1) return parts.front();
  return call.builder().call(kConcat, std::move(parts), call.type(), EvalMode::Ansi, call.fields.index());
}

Slot is_null(const ExpressionCall& call, Slot value) {
  return call.builder().call(kIsNull, {value}, DataType(TypeId::Boolean), EvalMode::Ansi, call.fields.index());
}

/// Joins two strings with a separator; the other one where one is null.
Slot join_some(const ExpressionCall& call, Slot separator, Slot left, Slot right) {
  const Slot joined = join(call, {left, separator, right});
  return call.builder().case_when({{is_null(call, left), right}, {is_null(call, right), left}}, joined, call.type());
}

}  // namespace

Slot bind_like(ExpressionCall& call) {
  const Slot text = call.slot(call.fields.take_node("left"));
  const Slot pattern = call.slot(call.fields.take_node("right"));
  const std::string_view escape = call.fields.take_text("escapeChar");
  call.fields.finish();
  for (const Slot argument : {text, pattern}) call.require_type(argument, DataType(TypeId::String));
  const types::StringRef escape_text{escape.data(), static_cast<int32>(escape.size())};
  types::StringRef constant;
  if (find_text(call.builder().constant_of(pattern), constant) &&
      !functions::LikePattern(constant, escape_text).is_valid()) {
    // Spark fails before there is a row.
    throw_unsupported("LIKE with an invalid pattern");
  }
  return call.builder().call(call.fields.class_name(), {text, pattern, string_literal(call, escape)}, call.type(),
                             EvalMode::Ansi, call.fields.index());
}

Slot bind_trim(ExpressionCall& call) {
  std::vector<Slot> arguments{call.slot(call.fields.take_node("srcStr"))};
  if (const auto set = call.fields.take_optional_node("trimStr")) arguments.push_back(call.slot(*set));
  call.fields.finish();
  return call.builder().call(call.fields.class_name(), std::move(arguments), call.type(), EvalMode::Ansi,
                             call.fields.index());
}

Slot bind_concat(ExpressionCall& call) {
  std::vector<Slot> parts = call.slots(call.fields.take_nodes("children"));
  call.fields.finish();
  for (const Slot part : parts) call.require_type(part, call.type());
  if (parts.empty()) return string_literal(call, "");
  while (parts.size() > 1) {
    std::vector<Slot> joined;
    for (size_t i = 0; i < parts.size(); i += 3) {
      const size_t end = std::min(i + 3, parts.size());
      joined.push_back(join(
          call, {parts.begin() + static_cast<std::ptrdiff_t>(i), parts.begin() + static_cast<std::ptrdiff_t>(end)}));
    }
    parts = std::move(joined);
  }
  return parts.front();
}

Slot bind_concat_ws(ExpressionCall& call) {
  const std::vector<Slot> children = call.slots(call.fields.take_nodes("children"));
  call.fields.finish();
  if (children.empty()) call.fields.fail("children", "is empty");
  for (const Slot child : children) call.require_type(child, call.type());
  const Slot separator = children.front();
  std::vector<Slot> parts(children.begin() + 1, children.end());
  while (parts.size() > 1) {
    std::vector<Slot> joined;
    for (size_t i = 0; i + 1 < parts.size(); i += 2)
      joined.push_back(join_some(call, separator, parts[i], parts[i + 1]));
    if (parts.size() % 2 == 1) joined.push_back(parts.back());
    parts = std::move(joined);
  }
  const Slot empty = string_literal(call, "");
  const Slot text = parts.empty() ? empty : call.builder().coalesce({parts.front(), empty}, call.type());
  const Slot null = call.builder().case_when({}, std::nullopt, call.type());
  // Spark looks at all texts, one of which may be an error, before it asks for the separator.
  const Slot length = call.call_function("OctetLength", {text}, DataType(TypeId::Int));
  const Slot is_text = call.call_function("GreaterThanOrEqual", {length, call.integer(0)}, DataType(TypeId::Boolean));
  const Slot lacks_separator = call.builder().conjunction({is_null(call, separator), is_text});
  return call.builder().case_when({{lacks_separator, null}}, text, call.type());
}

Slot bind_locate(ExpressionCall& call) {
  const Slot part = call.slot(call.fields.take_node("substr"));
  const Slot text = call.slot(call.fields.take_node("str"));
  const Slot start = call.slot(call.fields.take_node("start"));
  call.fields.finish();
  const Slot place = call.call_function("StringLocate", {part, text, start}, call.type());
  return call.builder().case_when({{is_null(call, start), call.integer(0)}}, place, call.type());
}

Slot bind_static_invoke(ExpressionCall& call) {
  static const std::unordered_map<std::string_view, const char*> kFunctions = {
      {"org.apache.spark.unsafe.array.ByteArrayMethods.contains", "org.apache.spark.sql.catalyst.expressions.Contains"},
      {"org.apache.spark.unsafe.array.ByteArrayMethods.startsWith",
       "org.apache.spark.sql.catalyst.expressions.StartsWith"},
      {"org.apache.spark.unsafe.array.ByteArrayMethods.endsWith", "org.apache.spark.sql.catalyst.expressions.EndsWith"},
  };
  const std::string_view method = call.fields.take_text("method");
  std::vector<Slot> arguments = call.slots(call.fields.take_nodes("arguments"));
  call.fields.finish();
  const auto found = kFunctions.find(method);
  if (found == kFunctions.end()) throw_unsupported("method " + std::string(method));
  return call.builder().call(found->second, std::move(arguments), call.type(), EvalMode::Ansi, call.fields.index());
}

Slot bind_case_conversion(ExpressionCall& call) {
  const Slot text = call.slot(call.fields.take_node("child"));
  call.fields.finish();
  // Spark 4.3 is the first with ICU for Unicode 17.
  if (!call.binder.message().spark_version.starts_with("4.3.")) {
    throw_unsupported("expression " + std::string(call.fields.short_name()) + " by another version of Unicode");
  }
  return call.builder().call(call.fields.class_name(), {text}, call.type(), EvalMode::Ansi, call.fields.index());
}

}  // namespace accelerant::plan
