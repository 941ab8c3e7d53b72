#include "plan/aggregate_step.h"

#include "plan/merge_aggregate.h"
#include "plan/partial_aggregate.h"

namespace accelerant::plan {

const AggregateStep* unended_step(const Node& node) {
  if (node.is<PartialAggregate>()) return &node.as<PartialAggregate>();
  return node.is<MergeAggregate>() ? &node.as<MergeAggregate>() : nullptr;
}

}  // namespace accelerant::plan
