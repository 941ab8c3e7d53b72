#pragma once

#include "planner/operators.h"
#include "planner/stages.h"
#include "runtime/pipeline.h"

#include <memory>
#include <optional>

namespace accelerant::runtime {

class Query;

/// Which part of a stage's rows a pipeline carries: `index` of `count`.
struct StagePart {
  int index = 0;
  int count = 1;
};

/// Partitions [first, last) of a table.
struct PartitionRange {
  int first;
  int last;
};

/// Returns which partitions of a source a part of a stage reads; nothing where the stage does not read it.
/// @param source plan-message index
std::optional<PartitionRange> partitions_of_part(const Query& query, const planner::Stage& stage, StagePart part,
                                                 int source);

/// Builds the pipeline of a stage whose sink is given.
/// @param results what earlier stages made, for all that this one reads
/// @param sink_metrics the counters of the node that the sink works for
Pipeline make_pipeline(const Query& query, const planner::Stage& stage, const planner::Results& results, StagePart part,
                       std::shared_ptr<operators::Sink> sink, execution::Metrics* sink_metrics,
                       const execution::Cancellation& cancellation);

}  // namespace accelerant::runtime
