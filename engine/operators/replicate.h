#pragma once

#include "execution/context.h"
#include "operators/operator.h"
#include "plan/replicate.h"

#include <memory>

namespace accelerant::operators {

/// Emits the copies of a row one after the other, in batches of about the usual size.
class Replicate final : public Transform {
 public:
  Replicate(std::shared_ptr<const plan::Replicate> node, const execution::OperatorContext& ctx);

  std::string_view name() const override { return "Replicate"; }
  std::unique_ptr<State> make_state() const override;
  Step process(State& state, columns::Batch& in, std::optional<columns::Batch>& out) const override;

 private:
  const std::shared_ptr<const plan::Replicate> node_;
  const execution::OperatorContext ctx_;
};

}  // namespace accelerant::operators
