#pragma once

#include "plan/aggregate.h"
#include "plan/aggregate_step.h"
#include "plan/final_aggregate.h"
#include "plan/partial_aggregate.h"

#include <memory>
#include <vector>

namespace accelerant::planner {

/// The steps of one aggregation, lowest first.
struct MatchedSteps {
  std::shared_ptr<const plan::PartialAggregate> lowest;
  std::vector<plan::NodePtr> merges;
  std::shared_ptr<const plan::FinalAggregate> last;
};

/// Makes an aggregate of what steps do.
/// @throws Error Unsupported where they do not belong together, or one of them lacks something
std::shared_ptr<plan::Aggregate> aggregate_of(const MatchedSteps& steps);

}  // namespace accelerant::planner
