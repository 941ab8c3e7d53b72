#pragma once

#include "plan/binder.h"
#include "plan/node.h"
#include "planner/estimates.h"
#include "planner/key_requests.h"
#include "planner/partition_requests.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace accelerant::operators {
struct DeviceGrouping;
struct GroupingSets;
}  // namespace accelerant::operators

namespace accelerant::planner {

struct DeviceFeed;
class DevicePlacement;

/// What a device runs of a feed, by the rows that come out: all, or those that all filters keep. What stands between
/// two filters is in neither. 0 is the source, i transform i - 1.
struct DeviceNodes {
  std::vector<size_t> before_filters;
  std::vector<size_t> after_filters;
};

/// One way into a stage: the rows of a source, through transforms.
struct Feed {
  plan::NodePtr source;                   ///< a leaf, or a node whose result an earlier stage made
  std::vector<plan::NodePtr> transforms;  ///< in the order rows meet them; a Join here is probed
  bool after_others = false;              ///< starts when all rows of the feeds before it went through the transforms
  bool reads_again = false;               ///< another feed has read the source's rows before
  std::vector<KeyRequest> key_requests = {};              ///< of joins that are built when it starts
  std::vector<PartitionRequest> partition_requests = {};  ///< likewise
  std::optional<int> bounded_column = {};         ///< of the source: what the stage's top-k takes bounds its values
  std::shared_ptr<const DeviceFeed> device = {};  ///< what a device does of it; nullptr: nothing by itself
  DeviceNodes device_nodes = {};                  ///< that a device runs, for this feed or for all of the stage
};

/// Where something of a plan runs, for people, e.g. "on a device: emulator" or "on the host: stddev".
struct PlacementNote {
  int plan_node;  ///< of the last that runs there, its index in the plan message
  std::string text;
};

/// What one pipeline does. Its feeds' rows come one feed after the other.
struct Stage {
  std::vector<Feed> feeds;
  plan::NodePtr breaker;  ///< the node whose work ends the stage, a Join here is built; nullptr: the query's result
  /// It may be through after the first rows, and each one is dear: code around the engine computes some of it, and then
  /// only rows that are asked for.
  bool is_frugal = false;
  /// Rows of a batch that its sources aim for at most; of a frugal stage some screens of a `show`, as a limit may want
  /// few.
  int64_t max_batch_rows = std::numeric_limits<int64_t>::max();
  /// Workers that run it at most; of a frugal stage one, as nobody may want what the others would have computed.
  int max_workers = std::numeric_limits<int>::max();
  std::shared_ptr<const operators::GroupingSets> grouping_sets = {};      ///< that an Aggregate is taken apart into
  std::shared_ptr<const operators::DeviceGrouping> device_grouping = {};  ///< all of it, on a device; nullptr: not so
  std::optional<std::string> refusal = {};  ///< why no device runs something that the query demands of one
  std::vector<PlacementNote> notes = {};    ///< of what could run on a device by its shape
};

/// Cuts plans at their pipeline breakers, in an order in which stages can run: what a stage reads is made before it.
/// The last stage has no breaker. What feeds are asked to leave out is known then; where they run is not.
/// @param subqueries ScalarValue nodes, each before those that take its value
std::vector<Stage> cut_into_stages(const plan::NodePtr& root, const std::vector<plan::NodePtr>& subqueries = {});

/// How a query runs, decided before it does: what runs it only follows. Immutable; any thread.
struct PhysicalPlan {
  plan::BoundPlan bound;
  std::vector<Stage> stages;
  std::unordered_map<const plan::Node*, size_t> last_uses;  ///< by breaker: the last stage that reads what it made
  std::unordered_map<const plan::Node*, int64_t> estimated_rows;  ///< that each node emits; without tables none
};

/// Decides how a bound plan runs.
/// @param tables that it reads; nullptr: not opened, what pipelines cost is not known
PhysicalPlan make_physical_plan(plan::BoundPlan bound, const Tables* tables, DevicePlacement& placement);

}  // namespace accelerant::planner
