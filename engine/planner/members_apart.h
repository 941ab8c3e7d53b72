#pragma once

#include "plan/node.h"

namespace accelerant::planner {

/// Returns the tree with scans that read members of structs as columns by themselves, where a projection or an
/// aggregation right above and the scan's own filters ask for nothing else of a struct: then filters are asked before
/// other members are read, and strings of members stay codes. Not where rows may fail: Spark words errors by whole
/// columns.
plan::NodePtr read_members_apart(const plan::NodePtr& root);

}  // namespace accelerant::planner
