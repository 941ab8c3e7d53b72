#pragma once

#include "execution/context.h"
#include "operators/sorted_run.h"
#include "plan/window.h"

#include <cstddef>
#include <memory>

namespace accelerant::operators {

/// Leaves out the rows of a run that a limit does not want: among all rows their rank is no less. Returns the run as it
/// is where that would not spare much.
/// @throws Error Cancelled
std::unique_ptr<const SortedRun> limited(std::unique_ptr<const SortedRun> run, const plan::RankLimit& limit,
                                         size_t num_partition_keys, const execution::OperatorContext& ctx);

}  // namespace accelerant::operators
