#pragma once

#include "operators/operator.h"
#include "operators/table.h"
#include "plan/binder.h"
#include "planner/device_placement.h"
#include "planner/estimates.h"
#include "planner/operators.h"
#include "planner/physical_plan.h"
#include "runtime/node_contexts.h"
#include "runtime/prepared_query.h"
#include "runtime/process.h"
#include "spill/spill_folders.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

namespace accelerant::runtime {

class SharedStages;
class Stream;

/// A partition whose rows a thread outside the engine has taken on to compute.
struct IslandClaim {
  int plan_node;  ///< that reads it
  std::shared_ptr<operators::IslandTable> table;
  std::shared_ptr<operators::IslandRows> rows;
};

/// How a query runs.
struct RunOptions {
  int threads = 0;                     ///< workers that one pipeline may use; 0: all
  int64_t batch_rows = 0;              ///< rows a source aims for in a batch; 0: the engine's choice
  int64_t memory_limit_bytes = 0;      ///< budget of the query; 0: only the process's
  int64_t heap_bytes = 0;              ///< of the process alone: what the program around the engine takes beside it
  spill::SpillSettings spilling = {};  ///< of the process alone
  bool has_spilling = false;
  execution::DeviceChoice device = execution::DeviceChoice::Cpu;
  bool strict = false;         ///< what could run on a device, and does not, fails
  uint64_t interruptions = 0;  ///< seed of what interrupts steps, for tests (Attempts); 0: nothing does

  /// Returns how many workers a pipeline may use.
  int num_drivers() const;
  /// Says whether a device that is asked for by name has to run what it can.
  bool is_strict() const { return strict && device != execution::DeviceChoice::Auto; }
  planner::PlacementOptions placement() const { return {device, is_strict(), num_drivers()}; }
  /// Reads lines `name=value`.
  /// @throws Error Unsupported naming an option that is not known or has no valid value
  static RunOptions parse(std::string_view text);

 private:
  /// Takes an option about spilling; returns whether it is one.
  bool parse_spilling(std::string_view name, std::string_view value);
};

/// A run of a prepared query, as many times as its streams are opened. Thread-safe.
///
/// What a consumer may split depends on the plan. Without a pipeline breaker any contiguous group of Spark's file
/// partitions runs on its own. With one, the stages up to the last breaker run once for all streams (SharedStages), and
/// each stream runs the rest over its part of the breaker's result.
class Query : public std::enable_shared_from_this<Query>, public Stoppable {
 public:
  /// Opens what the query reads, as far as a run before has not.
  /// @throws Error Unsupported when Spark should run it
  static std::shared_ptr<Query> open(PreparedQuery& prepared, const planner::Inputs& inputs, const RunOptions& options);
  ~Query() override;

  const planner::PhysicalPlan& physical_plan() const { return opened_->plan; }
  /// What it computes, after rewrites.
  const plan::BoundPlan& plan() const { return physical_plan().bound; }
  const RunOptions& options() const { return options_; }
  /// Returns how many streams a consumer that wants `wanted` may open.
  int partitions(int wanted) const;
  /// Begins what `count` streams share, the stages up to the last breaker, unless that has begun, and waits for it.
  /// Returns whether it is made; true where streams share nothing. Streams opened later read it, also again, until the
  /// query is cancelled. Rethrows what it failed with.
  bool prepare(int count, std::chrono::milliseconds timeout);
  /// Starts stream `index` of `count`. One that was taken before is computed again.
  std::shared_ptr<Stream> open_stream(int index, int count);
  /// Claims a partition of an island that somebody waits for, if there is one: of an island whose rows streams emit
  /// themselves only a partition that stream `index` of `count` reads, of others any.
  std::optional<IslandClaim> claim(int index, int count);
  /// Rings when there may be something to claim, or to compute of what is claimed; nullptr: there are no islands.
  const std::shared_ptr<operators::IslandBell>& island_bell() const { return islands_.bell; }
  /// Stops all streams: their consumers get Error{Cancelled}. Later streams start normally.
  void cancel() override;

  const NodeContexts& nodes() const { return *nodes_; }
  /// Returns how many rows the sources of a stage aim for in a batch.
  int64_t batch_rows(const planner::Stage& stage) const;
  /// Returns what an operator of a plan node gets; `cancellation` is its run's.
  execution::OperatorContext context(const plan::Node& node, const execution::Cancellation& cancellation,
                                     std::shared_ptr<const execution::Parameters> parameters = nullptr) const;
  /// Returns what a Source reads.
  const operators::Table& table(const plan::Node& source) const { return *tables_.at(source.plan_node); }
  const std::shared_ptr<memory::Budget>& budget() const { return budget_; }
  const std::shared_ptr<Participant>& participant() const { return participant_; }
  /// Returns the device that the plan is made for, opened when it is asked for first.
  planner::OpenedDevice device() const;
  /// Code of the program around the engine that programs call; nullptr: none.
  const std::shared_ptr<const execution::Parameters>& functions() const { return functions_; }
  /// Metrics that nobody reads: of rows that were counted before.
  execution::Metrics* uncounted() const { return &uncounted_; }

 private:
  friend class SharedStages;
  friend class Stream;

  /// @param tables all that the plan reads
  Query(std::shared_ptr<const OpenedPlan> opened, planner::Tables tables, const planner::Inputs& inputs,
        const RunOptions& options);
  /// Returns the shared stages that stream `index` of `count` should read from, new ones if it was taken from the
  /// current ones and they can't be read again.
  std::shared_ptr<SharedStages> shared_stages_for(int index, int count);
  /// Makes new shared stages for `count` streams the current ones; to be started. The lock is held.
  std::shared_ptr<SharedStages> renew_shared_stages(int count);
  /// Says whether what the last stage reads stays as it is when it is read.
  bool can_read_again() const;
  bool keeps(const SharedStages& shared);
  std::vector<std::weak_ptr<Stream>> streams();
  int64_t usual_batch_rows() const;
  /// Returns how many workers a stage may use.
  int num_drivers(const planner::Stage& stage) const { return std::min(options_.num_drivers(), stage.max_workers); }

  const std::shared_ptr<const OpenedPlan> opened_;
  const RunOptions options_;
  const std::shared_ptr<memory::Budget> budget_;
  const std::shared_ptr<Participant> participant_;
  const std::unique_ptr<NodeContexts> nodes_;
  const planner::Tables tables_;
  const std::shared_ptr<const execution::Parameters> functions_;
  const planner::Islands islands_;
  mutable execution::Metrics uncounted_;
  mutable std::once_flag opens_device_;
  mutable planner::OpenedDevice device_;

  std::mutex mutex_;
  std::shared_ptr<SharedStages> shared_;
  int shared_count_ = 0;            ///< streams that make up `shared_`
  std::vector<bool> shared_taken_;  ///< streams already handed out from `shared_`
  bool keeps_shared_ = false;       ///< for streams that come again, until the query is cancelled
  std::vector<std::weak_ptr<Stream>> streams_;
};

}  // namespace accelerant::runtime
