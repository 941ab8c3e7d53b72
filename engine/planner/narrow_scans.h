#pragma once

#include "plan/node.h"

namespace accelerant::planner {

/// Returns the tree with scans that emit, and read, no columns that nothing above reads. What only a scan's own filters
/// read comes last in its columns, and is not emitted.
plan::NodePtr narrow_scans(const plan::NodePtr& root);

}  // namespace accelerant::planner
