#pragma once

#include "plan/expression_binder.h"
#include "plan/node_fields.h"

#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace accelerant::plan {

/// An expression whose children are bound: what the rule of its class works on.
struct ExpressionCall {
  ExpressionBinder& binder;
  NodeFields fields;
  std::span<const int> children;

  const types::DataType& type() const { return *fields.node().type; }
  expressions::Slot slot(int expression) const { return binder.slot(expression); }
  std::vector<expressions::Slot> slots(std::span<const int> expressions) const;
  expressions::ProgramBuilder& builder() const { return binder.builder(); }
  /// Returns a constant of a type whose values Spark keeps as integers, such as dates.
  expressions::Slot integer(int64_t number, const types::DataType& type = types::DataType(types::TypeId::Int)) const;
  /// Calls a function of Spark's, e.g. "IsNaN", that cannot fail.
  expressions::Slot call_function(std::string_view name, std::vector<expressions::Slot> arguments,
                                  const types::DataType& result) const;
  /// Returns the version of the Java that runs Spark, e.g. 17, as an integer.
  expressions::Slot java_version() const;

  /// Takes every field that holds nodes; returns their slots in the order of the fields.
  std::vector<expressions::Slot> take_arguments();
  /// Takes the field `timeZoneId`, if there is one; nullptr where there is none or the message lacks the zone's rules.
  std::shared_ptr<const types::ZoneRules> take_zone();
  /// Fails unless a value is of a type; a message that breaks this is not Spark's.
  void require_type(expressions::Slot value, const types::DataType& expected) const;
  /// Fails with the class's name unless a function is registered for it.
  void require_function() const;
};

using Rule = expressions::Slot (*)(ExpressionCall&);
/// Rules by the names of classes below org.apache.spark.sql.catalyst.expressions.
using RuleMap = std::unordered_map<std::string_view, Rule>;

}  // namespace accelerant::plan
