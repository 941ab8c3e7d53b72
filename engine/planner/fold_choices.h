#pragma once

#include "plan/node.h"

namespace accelerant::planner {

/// Returns the tree without projections that only choose, reorder or rename columns: what is above reads the columns
/// where they are. One is left below a union, or at the top, where columns have to be in their places.
plan::NodePtr fold_choices(const plan::NodePtr& root);

}  // namespace accelerant::planner
