#pragma once

#include "execution/context.h"
#include "expressions/program.h"
#include "operators/operator.h"

namespace accelerant::operators {

/// Computes new columns from each batch.
class Project final : public Transform {
 public:
  /// @param outputs the columns to compute
  Project(std::shared_ptr<const expressions::Program> outputs, const execution::OperatorContext& ctx);

  std::string_view name() const override { return "Project"; }
  std::unique_ptr<State> make_state() const override;
  Step process(State& state, columns::Batch& in, std::optional<columns::Batch>& out) const override;

 private:
  const std::shared_ptr<const expressions::Program> outputs_;
  const execution::OperatorContext ctx_;
};

}  // namespace accelerant::operators
