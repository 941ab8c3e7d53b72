#pragma once

#include "execution/context.h"
#include "operators/built_side.h"
#include "operators/operator.h"
#include "operators/set_aside_rows.h"
#include "plan/join.h"

#include <cstdint>
#include <memory>

namespace accelerant::operators {

/// Makes a source that joins the rows that a pipeline's probe has set aside with the build rows on disk, and emits what
/// the join owes these. It is read when all rows have passed the probe. A morsel is a partition, of which it joins as
/// many keys at a time as fit into a worker's share of the memory that is left.
/// @param num_workers how many read it, and the sources of other parts, at once, at most
/// @param keeps_order whether rows may have to wait for those of lower morsels
std::unique_ptr<Source> make_spilled_join(std::shared_ptr<const plan::Join> node,
                                          std::shared_ptr<const BuiltSide> built,
                                          std::shared_ptr<SetAsideRows> set_aside, int64_t num_workers,
                                          bool keeps_order, const execution::OperatorContext& ctx);

}  // namespace accelerant::operators
