#pragma once

#include "execution/context.h"
#include "plan/node.h"
#include "planner/estimates.h"
#include "planner/physical_plan.h"
#include "spill/spill_target.h"

#include <memory>
#include <vector>

namespace accelerant::runtime {

/// Counters and memory of every plan node of a query, summed over all its runs.
class NodeContexts {
 public:
  /// @param query_budget what the nodes' budgets draw from
  NodeContexts(std::vector<plan::NodePtr> roots, const std::shared_ptr<memory::Budget>& query_budget);

  /// Notes how many rows each node is estimated to emit, and how many morsels sources have. Before anybody reads
  /// counters.
  void look_ahead(const planner::PhysicalPlan& plan, const planner::Tables& tables);

  /// Returns what an operator of this node gets; `cancellation` is its run's.
  execution::OperatorContext context(const plan::Node& node, const execution::Cancellation& cancellation,
                                     int64_t batch_rows,
                                     std::shared_ptr<const execution::Parameters> parameters = nullptr) const;

  /// Returns what the operator of a node spills to.
  std::shared_ptr<spill::SpillTarget> spill_target(const plan::Node& node) const { return entry(node).spills_to; }

  /// Counters of a node as the JVM reads them.
  static constexpr int kCountersPerNode = 13;
  /// Returns counters by plan-message index, up to the largest index of a node: output rows, output batches,
  /// estimated output rows, CPU nanoseconds, peak bytes, spilled bytes, input bytes, input files, rows that a device
  /// took in, morsels of the files, those of them that are done, rows of those that were read, and the most CPU
  /// nanoseconds between two looks at cancellation. A node that is fused into another shows that one's rows. Several
  /// nodes that stand for one of Spark's count together; the topmost one's rows are shown.
  std::vector<int64_t> read() const;

 private:
  struct Entry {
    plan::NodePtr node;
    int64_t estimated_rows = 0;
    int64_t morsels = 0;
    execution::Metrics metrics;
    std::shared_ptr<memory::Budget> budget;
    std::shared_ptr<spill::SpillTarget> spills_to;
  };

  Entry& entry(const plan::Node& node) const;

  std::vector<std::unique_ptr<Entry>> entries_;  ///< from the root down
};

}  // namespace accelerant::runtime
