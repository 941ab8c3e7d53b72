#pragma once

#include "execution/context.h"
#include "operators/operator.h"
#include "plan/expand.h"

#include <memory>

namespace accelerant::operators {

/// Computes several projections of each batch: an output batch each, or all in one where rows have an order.
class Expand final : public Transform {
 public:
  Expand(std::shared_ptr<const plan::Expand> node, const execution::OperatorContext& ctx);

  std::string_view name() const override { return "Expand"; }
  std::unique_ptr<State> make_state() const override;
  Step process(State& state, columns::Batch& in, std::optional<columns::Batch>& out) const override;

 private:
  columns::Batch project_in_row_order(State& state, const columns::Batch& in) const;

  const std::shared_ptr<const plan::Expand> node_;
  const execution::OperatorContext ctx_;
};

}  // namespace accelerant::operators
