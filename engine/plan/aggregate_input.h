#pragma once

#include "plan/aggregate.h"
#include "plan/expression_binder.h"
#include "plan/step_fields.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace accelerant::plan {

/// Binds grouping expressions and arguments of aggregate functions into one program, whose outputs are the keys first.
/// Collects what is unsupported.
class AggregateInput {
 public:
  /// @param scope columns of the input
  AggregateInput(const PlanMessage& message, std::span<const Attribute> scope)
      : message_(message), binder_(message, scope) {}

  /// Binds named expressions; of those that give the same column, the first.
  void add_keys(const std::vector<int>& grouping);
  /// Binds a function that takes in rows; nullopt where it is unsupported.
  std::optional<AggregateCall> bind_call(const AggregateExpression& expression, bool is_distinct);

  const std::vector<OutputColumn>& keys() const { return keys_; }
  /// Says for some attributes which key each is.
  ColumnPositions keys_among(const std::vector<Attribute>& attributes) const;
  ExpressionBinder& binder() { return binder_; }
  std::shared_ptr<const expressions::Program> finish() { return binder_.finish(outputs_); }

 private:
  std::optional<AggregateCall> bind_known(const AggregateExpression& expression, bool is_distinct);
  expressions::Slot with_orders(const AggregateCall& call, expressions::Slot value,
                                const std::vector<expressions::Slot>& orders);
  void place_arguments(AggregateCall& call, const std::vector<expressions::Slot>& slots);

  const PlanMessage& message_;
  ExpressionBinder binder_;
  std::map<int64_t, int> key_of_;  ///< by the id of the column that a grouping expression gives
  std::vector<OutputColumn> keys_;
  std::vector<expressions::Slot> outputs_;
};

}  // namespace accelerant::plan
