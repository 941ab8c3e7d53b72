#pragma once

#include "plan/node.h"

namespace accelerant::planner {

/// Lets a projection below each window compute those of its keys and arguments that are no columns.
plan::NodePtr put_window_values_below(const plan::NodePtr& root);

}  // namespace accelerant::planner
