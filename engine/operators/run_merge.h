#pragma once

#include "execution/context.h"
#include "operators/sorted_run.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::operators {

using SortedRuns = std::vector<std::unique_ptr<const SortedRun>>;

/// A row of several runs.
struct RunRow {
  int32_t run;
  int32_t row;
  /// Whether its keys are those of the row before it, which may be in the stretch before.
  bool continues_tie;
};

/// Returns stretch [first, end) of all rows of some runs in the order of their keys, those of equal keys in the order
/// of their morsels. A morsel's rows are all in one run.
/// @throws Error Cancelled
std::vector<RunRow> merge_runs(const SortedRuns& runs, int64_t first, int64_t end,
                               const execution::OperatorContext& ctx);

}  // namespace accelerant::operators
