#pragma once

#include "execution/context.h"
#include "operators/built_side.h"
#include "operators/operator.h"
#include "plan/join.h"

#include <memory>

namespace accelerant::operators {

/// Looks up each row of a join's probe side in the built one. Rows that pass are either pairs of both sides, or, where
/// a join emits only left rows, rows of the batch as it came.
class JoinProbe final : public Transform {
 public:
  JoinProbe(std::shared_ptr<const plan::Join> node, std::shared_ptr<BuiltSide> built,
            const execution::OperatorContext& ctx);

  std::string_view name() const override { return "JoinProbe"; }
  std::unique_ptr<State> make_state() const override;
  Step process(State& state, columns::Batch& in, std::optional<columns::Batch>& out) const override;

 private:
  const std::shared_ptr<const plan::Join> node_;
  const std::shared_ptr<BuiltSide> built_;
  const execution::OperatorContext ctx_;
};

}  // namespace accelerant::operators
