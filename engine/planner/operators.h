#pragma once

#include "operators/operator.h"
#include "plan/node.h"

#include <memory>

namespace accelerant::planner {

/// Makes the host operator of a Filter or Project.
std::unique_ptr<operators::Transform> make_transform(const plan::NodePtr& node, const execution::OperatorContext& ctx);

/// Makes the host operator of an Aggregate, Sort or Limit.
/// @throws Error Unsupported for a function or key type without one
std::shared_ptr<operators::Breaker> make_breaker(const plan::NodePtr& node, const execution::OperatorContext& ctx);

/// Makes the transform that turns what a stage's source gives into its node's output; nullptr if they are the same.
/// @param source a Scan, or a pipeline breaker
std::unique_ptr<operators::Transform> make_output_transform(const plan::NodePtr& source,
                                                            const execution::OperatorContext& ctx);

}  // namespace accelerant::planner
