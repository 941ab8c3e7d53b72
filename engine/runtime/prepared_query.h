#pragma once

#include "memory/budget.h"
#include "plan/binder.h"
#include "planner/device_placement.h"
#include "planner/estimates.h"
#include "planner/physical_plan.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace accelerant::runtime {

/// What a run of a query follows, and the files that it reads.
struct OpenedPlan {
  planner::PhysicalPlan plan;
  planner::Tables files;  ///< by the plan-message index of the scan; they hold footers
};

/// A plan message that is judged and bound, for any number of runs. Any thread.
///
/// What its first run opens and decides stays for runs of the same splits, until the process lacks memory.
class PreparedQuery final : public memory::MemoryReclaimer, public std::enable_shared_from_this<PreparedQuery> {
 public:
  /// Decodes and binds a message. Where that works, makes every pipeline breaker once, so that an aggregate or a key
  /// that can't be had is known before the query runs.
  /// @param has_functions runs have code for what the engine lacks
  /// @throws Error for a message that can't be read
  static std::shared_ptr<PreparedQuery> make(std::span<const uint8_t> message, bool has_functions);

  const plan::Verdict& verdict() const { return judgement_.verdict; }
  /// @throws Error Unsupported where the verdict says so
  const plan::BoundPlan& plan() const;

  /// Opens the plan's files and decides how it runs.
  /// @param rows tables of what is in no file
  /// @param splits the splits message
  /// @param memory_limit_bytes that footers may take; 0: only the process's limit
  /// @throws Error Unsupported when Spark should run it
  std::shared_ptr<const OpenedPlan> open(const planner::Tables& rows, std::span<const uint8_t> splits,
                                         const planner::PlacementOptions& placement, int64_t memory_limit_bytes);

  /// Lets go of what was opened.
  void reclaim() noexcept override;

 private:
  explicit PreparedQuery(plan::Judgement judgement) : judgement_(std::move(judgement)) {}
  std::shared_ptr<const OpenedPlan> find_opened(std::span<const uint8_t> splits,
                                                const planner::PlacementOptions& placement);

  const plan::Judgement judgement_;
  std::mutex opening_;           ///< of the next two, and of who opens it
  std::vector<uint8_t> splits_;  ///< that it is opened for
  planner::PlacementOptions placement_;
  std::mutex mutex_;  ///< of what follows; nobody reserves memory under it
  std::shared_ptr<const OpenedPlan> opened_;
};

/// How often this process has prepared queries.
struct PreparationCounts {
  int64_t bound = 0;   ///< plan messages
  int64_t opened = 0;  ///< plans whose files were opened and for which it was decided how they run
  int64_t nanos = 0;   ///< that both took
  int64_t bytes = 0;   ///< that plans hold which may run again
};
PreparationCounts preparation_counts();

/// Makes the budget of a query below another one.
/// @param limit_bytes 0, or no less than the process's: only that one's limit
std::shared_ptr<memory::Budget> make_query_budget(int64_t limit_bytes, const std::shared_ptr<memory::Budget>& parent);

}  // namespace accelerant::runtime
