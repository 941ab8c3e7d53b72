#pragma once

#include "plan/node.h"

namespace accelerant::planner {

/// Has sums of floating-point numbers be exact where rows may come in another order in another run: adding them up in
/// the order in which they come, as Spark does, would give other last digits each time. Of a tree whose joins know
/// which side they build.
plan::NodePtr make_sums_certain(const plan::NodePtr& root);

}  // namespace accelerant::planner
