#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "memory/array.h"
#include "operators/built_side.h"
#include "operators/operator.h"
#include "operators/set_aside_rows.h"
#include "plan/join.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::operators {

/// What is known of a join's probe rows while they pass its build rows piece by piece, all of them each piece. One
/// thread.
struct ProbeMarks {
  memory::Array<uint8_t> matched;              ///< by row
  std::vector<columns::RowError> errors = {};  ///< of conditions, at these rows, of a join that chooses rows
  int64_t next_row = 0;                        ///< the first one of the next batch
  bool is_last = false;                        ///< no other piece comes
};

/// Looks up each row of a join's probe side in the built one. Rows that pass are either pairs of both sides, or, where
/// a join emits only left rows, rows of the batch as it came.
class JoinProbe final : public Transform {
 public:
  /// @param set_aside takes rows whose keys are on disk, which do not pass; nullptr: there are none
  /// @param marks where the build rows are a piece: outlive it; what depends on all pieces comes with the last.
  /// nullptr:
  ///              they are all
  JoinProbe(std::shared_ptr<const plan::Join> node, std::shared_ptr<BuiltSide> built,
            const execution::OperatorContext& ctx, std::shared_ptr<SetAsideRows> set_aside = nullptr,
            ProbeMarks* marks = nullptr);

  std::string_view name() const override { return "JoinProbe"; }
  std::unique_ptr<State> make_state() const override;
  Step process(State& state, columns::Batch& in, std::optional<columns::Batch>& out) const override;

 private:
  const std::shared_ptr<const plan::Join> node_;
  const std::shared_ptr<BuiltSide> built_;
  const execution::OperatorContext ctx_;
  const std::shared_ptr<SetAsideRows> set_aside_;
  ProbeMarks* const marks_;
};

}  // namespace accelerant::operators
