#pragma once

#include "planner/operators.h"
#include "planner/stages.h"
#include "runtime/pipeline.h"

#include <memory>

namespace accelerant::runtime {

class Query;

/// Which part of a stage's rows a pipeline carries: `index` of `count`.
struct StagePart {
  int index = 0;
  int count = 1;
};

/// Builds the pipeline of a stage whose sink is given.
/// @param results what earlier stages made, for all that this one reads
/// @param sink_metrics the counters of the node that the sink works for
Pipeline make_pipeline(const Query& query, const planner::Stage& stage, const planner::Results& results, StagePart part,
                       std::shared_ptr<operators::Sink> sink, execution::Metrics* sink_metrics,
                       const execution::Cancellation& cancellation);

}  // namespace accelerant::runtime
