#pragma once

#include "expressions/function_call.h"
#include "plan/expression_binder.h"
#include "plan/node_fields.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace accelerant::plan {

/// An expression whose children are bound: what the rule of its class, or the header of its function, works on.
class ExpressionCall final : public expressions::FunctionCall {
 public:
  using Slot = expressions::Slot;

  ExpressionCall(ExpressionBinder& expression_binder, NodeFields node_fields, std::span<const int> bound_children)
      : binder(expression_binder), fields(std::move(node_fields)), children(bound_children) {}

  ExpressionBinder& binder;
  NodeFields fields;
  std::span<const int> children;

  Slot slot(int node) const { return binder.slot(node); }
  std::vector<Slot> slots(std::span<const int> nodes) const;
  /// Fails with the class's name unless a function is registered for it.
  void require_function() const;

  Slot argument(std::string_view field) override { return slot(fields.take_node(field)); }
  std::optional<Slot> argument_if(std::string_view field) override;
  std::vector<Slot> arguments(std::string_view field) override { return slots(fields.take_nodes(field)); }
  std::vector<Slot> arguments() override;
  std::string_view text(std::string_view field) override { return fields.take_text(field); }
  int64_t integer(std::string_view field) override { return fields.take_integer(field); }
  bool flag(std::string_view field, bool otherwise) override { return fields.take_bool_or(field, otherwise); }
  types::DataType type_field(std::string_view field) override { return fields.take_type(field); }
  expressions::EvalMode mode() override { return fields.take_mode(); }
  std::shared_ptr<const types::ZoneRules> zone() override;
  std::shared_ptr<const types::ZoneRules> zone_argument(std::string_view field) override;
  expressions::BoundLambda lambda(std::string_view field) override;
  void skip(std::string_view field) override { fields.ignore(field); }
  void require_unset(std::string_view field) override { fields.require_unset(field); }
  void finish() override { fields.finish(); }
  [[noreturn]] void refuse(std::string_view why) const override;

  const types::DataType& type() const override { return *fields.node().type; }
  std::string_view spark_class() const override { return fields.class_name(); }
  int expression() const override { return fields.index(); }
  std::string_view spark_version() const override { return binder.message().spark_version; }
  bool is_in_lambda() const override { return binder.is_in_lambda(); }
  bool can_leave_rows() const override { return binder.can_bridge(fields.index()); }
  bool has_value(const functions::Setting& setting) const override;
  Slot java_version() const override;
  expressions::ProgramBuilder& builder() const override { return binder.builder(); }
  Slot constant(int64_t value, const types::DataType& type) const override;
  Slot constant_text(std::string_view text) const override;
};

using Rule = expressions::Slot (*)(ExpressionCall&);
/// Rules by the names of classes below org.apache.spark.sql.catalyst.expressions.
using RuleMap = std::unordered_map<std::string_view, Rule>;

}  // namespace accelerant::plan
