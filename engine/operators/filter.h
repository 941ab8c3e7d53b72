#pragma once

#include "execution/context.h"
#include "expressions/program.h"
#include "operators/operator.h"

namespace accelerant::operators {

/// Keeps the rows for which every conjunct is true.
class Filter final : public Transform {
 public:
  /// @param conjuncts a program whose outputs are the conjuncts, in order
  Filter(std::shared_ptr<const expressions::Program> conjuncts, const execution::OperatorContext& ctx);

  std::string_view name() const override { return "Filter"; }
  std::unique_ptr<State> make_state() const override;
  Step process(State& state, columns::Batch& in, std::optional<columns::Batch>& out) const override;

 private:
  const std::shared_ptr<const expressions::Program> conjuncts_;
  const execution::OperatorContext ctx_;
};

}  // namespace accelerant::operators
