#pragma once

#include "execution/context.h"
#include "operators/sorted_run.h"
#include "plan/window.h"

#include <cstddef>
#include <memory>

namespace accelerant::operators {

/// Returns a run without the rows that a limit does not want: among all rows their rank is no less. nullptr where that
/// would not spare much.
/// @throws Error Cancelled
std::unique_ptr<const SortedRun> limited(const SortedRun& run, const plan::RankLimit& limit, size_t num_partition_keys,
                                         const execution::OperatorContext& ctx);

}  // namespace accelerant::operators
