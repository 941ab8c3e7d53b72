#pragma once

#include "execution/context.h"
#include "operators/spilled_rows.h"
#include "operators/stage_results.h"
#include "plan/window.h"

#include <memory>
#include <utility>

namespace accelerant::operators {

/// Sorted rows in files, with what the functions of a window give of them, as other stages read them. Workers take
/// turns at reading: each reads a morsel, of whole window partitions, and computes it while others read on.
class SpilledWindowRows final : public StageRows {
 public:
  /// @param parts sorted by the window's keys; they begin where a window partition does
  SpilledWindowRows(std::shared_ptr<const plan::Window> node, std::shared_ptr<const SpilledParts> parts,
                    const execution::OperatorContext& ctx)
      : node_(std::move(node)), parts_(std::move(parts)), ctx_(ctx) {}

  std::unique_ptr<Source> make_source(int index, int count) const override;

 private:
  const std::shared_ptr<const plan::Window> node_;
  const std::shared_ptr<const SpilledParts> parts_;
  const execution::OperatorContext ctx_;
};

}  // namespace accelerant::operators
