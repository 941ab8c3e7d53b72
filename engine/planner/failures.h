#pragma once

#include "plan/node.h"

namespace accelerant::planner {

/// Says whether a row that a node or one below it makes or reads may be in error; false is certain.
bool may_fail(const plan::Node& node);

}  // namespace accelerant::planner
