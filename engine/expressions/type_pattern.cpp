#include "expressions/type_pattern.h"

#include "base/error.h"
#include "types/same_values.h"

#include <algorithm>
#include <cctype>

namespace accelerant::expressions {

using types::DataType;
using types::TypeId;

namespace {

void skip_spaces(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
}

bool take(std::string_view& text, std::string_view wanted) {
  skip_spaces(text);
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(wanted.size());
  return true;
}

std::string take_name(std::string_view& text) {
  skip_spaces(text);
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  const auto end = std::ranges::find_if_not(text, is_letter);
  std::string name(text.begin(), end);
  text.remove_prefix(name.size());
  ACC_CHECK(!name.empty());
  return name;
}

/// Returns the name that a type has in patterns, without what is in its brackets.
std::string pattern_name(const DataType& type) {
  if (type.is_decimal()) return "decimal";
  if (type.is(TypeId::DayTimeInterval) || type.is(TypeId::YearMonthInterval)) return "interval";
  const std::string text = type.to_string();
  return text.substr(0, text.find_first_of("<("));
}

}  // namespace

TypePattern::TypePattern(std::string_view text) {
  const size_t arrow = text.find("->");
  ACC_CHECK(arrow != text.npos);
  std::string_view arguments = text.substr(0, arrow);
  while (!arguments.empty() && arguments != " ") {
    arguments_.push_back(parse_term(arguments));
    arguments_text_ += (arguments_.size() == 1 ? "" : ",") + arguments_.back().text;
    is_variadic_ = take(arguments, "...");
    if (is_variadic_) arguments_text_ += "...";
    take(arguments, ",");
    skip_spaces(arguments);
  }
  std::string_view result = text.substr(arrow + 2);
  result_ = parse_term(result);
}

TypePattern::Term TypePattern::parse_term(std::string_view& text) {
  Term term{take_name(text), {}, ""};
  term.text = term.name;
  if (!take(text, "<")) return term;
  do {
    term.members.push_back(parse_term(text));
    term.text += (term.members.size() == 1 ? "<" : ", ") + term.members.back().text;
  } while (take(text, ","));
  ACC_CHECK(take(text, ">"));
  term.text += ">";
  return term;
}

bool TypePattern::fits(const Term& term, const DataType& type, Variables& variables) {
  if (term.name == "any") return true;
  if (term.name.size() == 1) {
    const auto [found, is_new] = variables.try_emplace(term.name.front(), type);
    return is_new || types::same_values(found->second, type);
  }
  if (term.name != pattern_name(type)) return false;
  if (term.members.empty()) return true;
  return std::ranges::equal(term.members, type.fields(), [&](const Term& member, const types::Field& field) {
    return fits(member, field.type, variables);
  });
}

bool TypePattern::matches(std::span<const DataType> arguments, const DataType& result) const {
  const size_t least = arguments_.size() - (is_variadic_ ? 1 : 0);
  if (arguments.size() < least || (!is_variadic_ && arguments.size() > least)) return false;
  Variables variables;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!fits(arguments_[std::min(i, arguments_.size() - 1)], arguments[i], variables)) return false;
  }
  return fits(result_, result, variables);
}

}  // namespace accelerant::expressions
