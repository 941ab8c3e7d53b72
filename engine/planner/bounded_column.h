#pragma once

#include "plan/node.h"

#include <optional>
#include <vector>

namespace accelerant::planner {

/// Returns the column of a scan whose values a top-k bounds while it takes in the rows: that which its first key comes
/// from, through nothing that may fail of a row.
/// @param transforms that the rows pass on their way to the breaker, in their order
std::optional<int> bounded_column(const plan::NodePtr& source, const std::vector<plan::NodePtr>& transforms,
                                  const plan::Node& breaker);

}  // namespace accelerant::planner
