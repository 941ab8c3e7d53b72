#pragma once

#include "codegen/group_shape.h"
#include "codegen/row_kernel.h"

namespace accelerant::codegen {

/// A kernel that finds rows, computes keys and arguments, and updates the states of few groups
/// (codegen/group_arguments.h).
RowKernel make_few_groups_kernel(const RowSteps& steps, const GroupShape& shape);

/// Says whether a kernel over groups reads something of a call's arguments.
bool has_input(const GroupState& state);

/// A kernel that makes, of rows that are kept, the words of their keys and then, for each call that has an input, the
/// value as its states take it (int8 where they take none), null where the row does not count.
RowKernel make_group_inputs_kernel(const RowSteps& steps, const GroupShape& shape);

/// A kernel that brings the inputs of rows to the states of their groups (device/primitives/update_groups.h): first the
/// numbers of rows, then the calls.
KernelText make_group_updates_kernel(const GroupShape& shape);

}  // namespace accelerant::codegen
