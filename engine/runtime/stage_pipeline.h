#pragma once

#include "operators/device_aggregation.h"
#include "operators/stage_results.h"
#include "planner/physical_plan.h"
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

/// One run of a stage, or of a part of it.
struct StageRun {
  const Query& query;
  const planner::Stage& stage;
  const operators::StageResults& results;  ///< what earlier stages made, for all that this one reads
  const execution::Cancellation& cancellation;
  StagePart part = {};

  /// Returns what an operator of a node gets.
  execution::OperatorContext context(const plan::Node& node) const;
};

/// Builds the pipeline of a stage whose sink is given.
/// @param sink_metrics the counters of the node that the sink works for
/// @param device what a device does of the stage; nullptr: nothing
/// @throws Error Resource naming the reason where a strict query asks for a device, and has none for it
Pipeline make_pipeline(const StageRun& run, std::shared_ptr<operators::Sink> sink, execution::Metrics* sink_metrics,
                       std::shared_ptr<operators::DeviceAggregation> device = nullptr);

}  // namespace accelerant::runtime
