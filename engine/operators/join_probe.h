#pragma once

#include "execution/context.h"
#include "operators/built_side.h"
#include "operators/operator.h"
#include "operators/set_aside_rows.h"
#include "plan/join.h"

#include <memory>

namespace accelerant::operators {

/// Looks up each row of a join's probe side in the built one. Rows that pass are either pairs of both sides, or, where
/// a join emits only left rows, rows of the batch as it came.
class JoinProbe final : public Transform {
 public:
  /// @param set_aside takes rows whose keys are on disk, which do not pass; nullptr: there are none
  JoinProbe(std::shared_ptr<const plan::Join> node, std::shared_ptr<BuiltSide> built,
            const execution::OperatorContext& ctx, std::shared_ptr<SetAsideRows> set_aside = nullptr);

  std::string_view name() const override { return "JoinProbe"; }
  std::unique_ptr<State> make_state() const override;
  Step process(State& state, columns::Batch& in, std::optional<columns::Batch>& out) const override;

 private:
  const std::shared_ptr<const plan::Join> node_;
  const std::shared_ptr<BuiltSide> built_;
  const execution::OperatorContext ctx_;
  const std::shared_ptr<SetAsideRows> set_aside_;
};

}  // namespace accelerant::operators
