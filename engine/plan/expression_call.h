#pragma once

#include "plan/expression_binder.h"
#include "plan/node_fields.h"

#include <span>
#include <vector>

namespace accelerant::plan {

/// An expression whose children are bound: what the rule of its class works on.
struct ExpressionCall {
  ExpressionBinder& binder;
  NodeFields fields;
  std::span<const int> children;

  const types::DataType& type() const { return *fields.node().type; }
  expressions::Slot slot(int expression) const { return binder.slot(expression); }
  expressions::ProgramBuilder& builder() const { return binder.builder(); }
  std::vector<expressions::Slot> slots(std::span<const int> expressions) const;
  /// Fails unless a value is of a type; a message that breaks this is not Spark's.
  void require_type(expressions::Slot value, const types::DataType& expected) const;
};

}  // namespace accelerant::plan
