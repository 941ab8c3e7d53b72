#include "operators/scalar_value.h"

#include "base/error.h"
#include "columns/gather.h"
#include "operators/expression_error.h"

#include <utility>

namespace accelerant::operators {

using columns::Batch;

Step ScalarValueSink::consume(State&, Batch& in) {
  raise_first_error(in);
  Batch batch = columns::compact(in, ctx_.budget);
  if (batch.num_rows == 0) return Step::needs_input();
  std::lock_guard lock(mutex_);
  if (value_ || batch.num_rows > 1) {
    throw Error(ErrorKind::User, "a scalar subquery gives more than one row")
        .with_class("SCALAR_SUBQUERY_TOO_MANY_ROWS")
        .at_expression(expression_);
  }
  value_ = columns::copy_compact(*batch.columns[0], ctx_.budget);
  return Step::needs_input();
}

Step ScalarValueSink::finish() {
  if (!value_) value_ = columns::Column::nulls(type_, 1, ctx_.budget)->child_values();
  return Step::finished();
}

void ScalarValueSink::hand_on(const plan::Node& node, StageResults& results) {
  auto parameters = std::make_shared<execution::Parameters>();
  if (results.parameters) *parameters = *results.parameters;
  parameters->values.emplace(node.plan_node, value_);
  results.parameters = std::move(parameters);
}

}  // namespace accelerant::operators
