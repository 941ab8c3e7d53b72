#pragma once

#include "execution/context.h"
#include "operators/operator.h"
#include "plan/unnest.h"

#include <memory>

namespace accelerant::operators {

/// Emits a row's elements one after the other, in batches of about the usual size.
class Unnest final : public Transform {
 public:
  Unnest(std::shared_ptr<const plan::Unnest> node, const execution::OperatorContext& ctx);

  std::string_view name() const override { return "Unnest"; }
  std::unique_ptr<State> make_state() const override;
  Step process(State& state, columns::Batch& in, std::optional<columns::Batch>& out) const override;

 private:
  const std::shared_ptr<const plan::Unnest> node_;
  const execution::OperatorContext ctx_;
};

}  // namespace accelerant::operators
