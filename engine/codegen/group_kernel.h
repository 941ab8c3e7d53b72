#pragma once

#include "codegen/group_shape.h"
#include "codegen/row_kernel.h"

namespace accelerant::codegen {

/// A kernel that finds rows, computes keys and arguments, and updates the states of few groups (codegen/row_groups.h).
RowKernel make_few_groups_kernel(const RowSteps& steps, const GroupShape& shape);

/// A kernel that makes, of rows that are kept, the words of their keys and then the arguments of all calls that have
/// one, as the aggregates take them: int64 or int128.
RowKernel make_group_inputs_kernel(const RowSteps& steps, const GroupShape& shape);

}  // namespace accelerant::codegen
