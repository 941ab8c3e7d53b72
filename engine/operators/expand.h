#pragma once

#include "execution/context.h"
#include "operators/operator.h"
#include "plan/expand.h"

#include <memory>

namespace accelerant::operators {

/// Computes several projections of each batch, one output batch each.
class Expand final : public Transform {
 public:
  Expand(std::shared_ptr<const plan::Expand> node, const execution::OperatorContext& ctx);

  std::string_view name() const override { return "Expand"; }
  std::unique_ptr<State> make_state() const override;
  Step process(State& state, columns::Batch& in, std::optional<columns::Batch>& out) const override;

 private:
  const std::shared_ptr<const plan::Expand> node_;
  const execution::OperatorContext ctx_;
};

}  // namespace accelerant::operators
