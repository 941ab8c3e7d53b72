#pragma once

#include "operators/operator.h"
#include "plan/node.h"

#include <memory>
#include <unordered_map>

namespace accelerant::planner {

/// What earlier stages made.
struct Results {
  std::unordered_map<const plan::Node*, std::shared_ptr<operators::Breaker>> breakers;  ///< by their nodes
  std::shared_ptr<const execution::Parameters> parameters;  ///< values of scalar subqueries; nullptr: none
};

/// Makes the host operator that a node is to the rows passing through it.
/// @param results holds the table of a Join
std::unique_ptr<operators::Transform> make_transform(const plan::NodePtr& node, const Results& results,
                                                     const execution::OperatorContext& ctx);

/// Makes the host operator of a node that ends a stage.
/// @throws Error Unsupported for a function or key type without one
std::shared_ptr<operators::Breaker> make_breaker(const plan::NodePtr& node, const execution::OperatorContext& ctx);

/// Makes the transform that turns what a stage's source gives into its node's output; nullptr if they are the same.
/// @param source a Scan, or a pipeline breaker
std::unique_ptr<operators::Transform> make_output_transform(const plan::NodePtr& source,
                                                            const execution::OperatorContext& ctx);

}  // namespace accelerant::planner
