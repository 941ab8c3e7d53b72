#pragma once

#include "expressions/program.h"
#include "plan/plan_message.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accelerant::plan {

/// Reads the fields of one message node and remembers which were read, so that none is ignored by accident. Each method
/// throws Error{Unsupported} "field X of Y (Spark v)" for a field that is missing or is not what it should be.
class NodeFields {
 public:
  NodeFields(const PlanMessage& message, int index);

  const MessageNode& node() const { return node_; }
  int index() const { return index_; }
  std::string_view class_name() const { return node_.class_name; }
  std::string_view short_name() const { return plan::short_name(node_.class_name); }

  const FieldValue& take(std::string_view name);
  /// Returns nullptr when there is no such field.
  const FieldValue* take_if(std::string_view name);
  bool take_bool(std::string_view name);
  /// Takes a field that only some versions of Spark have.
  bool take_bool_or(std::string_view name, bool otherwise);
  /// Takes what an Option holds; fails where that is nothing.
  bool take_bool_of_option(std::string_view name);
  int64_t take_integer(std::string_view name);
  std::string_view take_text(std::string_view name);
  /// Takes a map of texts: names and values.
  std::vector<std::pair<std::string_view, std::string_view>> take_text_map(std::string_view name);
  /// Takes a list of doubles.
  std::vector<double> take_numbers(std::string_view name);
  const types::DataType& take_type(std::string_view name);
  /// The index of the node that the field refers to.
  int take_node(std::string_view name);
  /// The indices of the nodes in a list.
  std::vector<int> take_nodes(std::string_view name);
  /// The node in an option.
  std::optional<int> take_optional_node(std::string_view name);
  /// The `name` of an enumeration's value, or the class name of a case object: "ANSI", "Ascending".
  std::string_view take_enumerator(std::string_view name);
  /// Takes an EvalMode.
  expressions::EvalMode take_eval_mode(std::string_view name);
  /// Takes whichever field holds the mode: evalContext, evalMode, failOnError or ansiEnabled. A class without one fails
  /// always: Ansi.
  expressions::EvalMode take_mode();
  /// Takes a field that says nothing about the result; it may be missing.
  void ignore(std::string_view name) { take_if(name); }
  /// Takes a field that must be false, null or empty, or be missing.
  void require_unset(std::string_view name);
  /// Fails for the first field that was not taken.
  void finish() const;

  /// Throws "field <name> of <class> (Spark <version>)", with why.
  [[noreturn]] void fail(std::string_view name, std::string_view why = "") const;

 private:
  /// Takes NumericEvalContext(evalMode, allowDecimalPrecisionLoss); the latter is already part of the result type.
  expressions::EvalMode take_context_mode();

  const PlanMessage& message_;
  const MessageNode& node_;
  const int index_;
  std::vector<bool> taken_;
};

/// Returns the name of an enumeration's value or of a case object, or nothing for other values.
std::optional<std::string_view> enumerator_of(const FieldValue& value);
/// Returns the mode that an enumerator names, or nothing.
std::optional<expressions::EvalMode> eval_mode_of(const FieldValue& value);

}  // namespace accelerant::plan
