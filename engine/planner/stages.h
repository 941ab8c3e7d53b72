#pragma once

#include "plan/node.h"

#include <vector>

namespace accelerant::planner {

/// The nodes of one pipeline. The first stage of a plan starts at a scan, each later one at the breaker that ended the
/// stage before.
struct Stage {
  plan::NodePtr source;                   ///< a Scan, or the node of the breaker before
  std::vector<plan::NodePtr> transforms;  ///< Filter and Project, in the order rows meet them
  plan::NodePtr breaker;                  ///< Aggregate, Sort or Limit that ends the stage; nullptr: the query's result
};

/// Cuts a plan at its pipeline breakers, in the order the stages run.
/// @throws Error Unsupported for a plan that is not a chain
std::vector<Stage> cut_into_stages(const plan::NodePtr& root);

}  // namespace accelerant::planner
