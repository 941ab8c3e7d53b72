#pragma once

#include "plan/expression_binder.h"
#include "plan/node.h"
#include "plan/relation.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace accelerant::plan {

/// Gives the expressions that a window reads their columns: those of its input, or ones that are computed behind them.
/// Collects what is unsupported.
class WindowInput {
 public:
  WindowInput(const PlanMessage& message, const Relation& input)
      : message_(message), input_(input), binder_(message, input.attributes) {}

  /// Binds an expression; ExpressionBinder::kFailed where it is unsupported.
  expressions::Slot bind(int expression) { return binder_.bind(expression); }
  /// Returns the column of an expression that was bound.
  int column_of(int expression);
  /// Returns the column of a value that was built.
  int column_of_slot(expressions::Slot slot);
  /// Returns the column of a frame's bound, which was built. It may fail.
  int column_of_bound(expressions::Slot bound);
  /// Returns the value of a bound expression that is a constant int.
  /// @throws Error Unsupported, naming `what`, where it is none
  int64_t constant_int(int expression, std::string_view what);
  /// Says whether a bound expression is a constant null.
  bool is_null(int expression);
  const types::DataType& type_of(int expression) { return binder_.builder().type(binder_.slot(expression)); }

  ExpressionBinder& binder() { return binder_; }
  const PlanMessage& message() const { return message_; }
  /// Returns what computes the columns behind the input's; nullptr: there are none. Called once.
  /// @throws Error Unsupported with all that was noted, and for what may fail but is no bound
  ProgramPtr finish();

 private:
  const PlanMessage& message_;
  const Relation& input_;
  ExpressionBinder binder_;
  std::vector<expressions::Slot> computed_;
  std::vector<expressions::Slot> bounds_;  ///< those of them that are no keys or arguments
};

}  // namespace accelerant::plan
