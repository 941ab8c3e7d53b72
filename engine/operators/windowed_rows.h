#pragma once

#include "execution/context.h"
#include "operators/sorted_rows.h"
#include "operators/stage_results.h"
#include "plan/window.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace accelerant::operators {

/// Returns the most rows that window partitions have which begin in a morsel's stretch of sorted rows.
/// @param num_keys those of the partition
/// @param num_rows of the runs, at least one
int64_t most_rows_of_morsel(const SortedRuns& runs, size_t num_keys, int64_t num_rows,
                            const execution::OperatorContext& ctx);

/// Sorted rows, with what the functions of a window give of them, as other stages read them.
class WindowedStageRows final : public StageRows {
 public:
  /// @param rows sorted by the window's keys
  WindowedStageRows(std::shared_ptr<const plan::Window> node, std::shared_ptr<const SortedRows> rows,
                    const execution::OperatorContext& ctx)
      : node_(std::move(node)), rows_(std::move(rows)), ctx_(ctx) {}

  std::unique_ptr<Source> make_source(int index, int count) const override;

 private:
  const std::shared_ptr<const plan::Window> node_;
  const std::shared_ptr<const SortedRows> rows_;
  const execution::OperatorContext ctx_;
};

}  // namespace accelerant::operators
