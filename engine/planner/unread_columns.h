#pragma once

#include "plan/node.h"

namespace accelerant::planner {

/// Returns the plan with joins that know which of their columns nobody reads: Spark leaves in a join's output what its
/// own condition needed, or another join's keys, and such columns need neither be held nor gathered.
plan::NodePtr drop_unread_columns(const plan::NodePtr& root);

}  // namespace accelerant::planner
