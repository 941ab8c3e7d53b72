#pragma once

#include "plan/node.h"

namespace accelerant::planner {

/// Returns the tree with projections that emit members of structs where they made the structs, and a projection or an
/// aggregation above, with filters between, asks for members alone. Not where a member may fail: Spark computes them
/// all.
plan::NodePtr take_structs_apart(const plan::NodePtr& root);

}  // namespace accelerant::planner
