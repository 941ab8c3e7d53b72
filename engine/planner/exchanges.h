#pragma once

#include "plan/node.h"

namespace accelerant::planner {

/// Returns the tree without exchanges that spread rows over partitions.
plan::NodePtr drop_exchanges(const plan::NodePtr& root);

/// Returns the tree without nodes that only hand rows on, to joins or to files.
plan::NodePtr drop_handing_on(const plan::NodePtr& root);

}  // namespace accelerant::planner
