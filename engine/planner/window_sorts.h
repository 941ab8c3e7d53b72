#pragma once

#include "plan/node.h"

namespace accelerant::planner {

/// Lets a window directly above another one be part of it, where rows are in the order of both once they are sorted:
/// they have the same partition keys, and the order keys of one are the first ones of the other's.
plan::NodePtr share_window_sorts(const plan::NodePtr& root);

}  // namespace accelerant::planner
