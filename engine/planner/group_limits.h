#pragma once

#include "plan/node.h"

namespace accelerant::planner {

/// Lets windows leave out what limits of their partitions below them do, and drops these: the filters for whose sake
/// they are there stand above the windows.
plan::NodePtr drop_group_limits(const plan::NodePtr& root);

}  // namespace accelerant::planner
