#include "runtime/prepared_query.h"

#include "base/error.h"
#include "memory/plan_budget.h"
#include "plan/plan_message.h"
#include "planner/judge_query.h"
#include "planner/open_tables.h"
#include "planner/operators.h"
#include "planner/rewrites.h"
#include "runtime/node_contexts.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

namespace accelerant::runtime {

namespace {

std::atomic<int64_t> num_bound{0};
std::atomic<int64_t> num_opened{0};
std::atomic<int64_t> spent_nanos{0};

/// Adds the time it lives to what preparing took.
class Timing {
 public:
  Timing() = default;
  Timing(const Timing&) = delete;
  Timing& operator=(const Timing&) = delete;
  ~Timing() { spent_nanos += std::chrono::nanoseconds(std::chrono::steady_clock::now() - start_).count(); }

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void try_operators(const plan::BoundPlan& bound) {
  const NodeContexts contexts(plan::roots_of(bound),
                              std::make_shared<memory::Budget>("check", memory::Budget::kUnlimited));
  const execution::Cancellation never;
  for (const planner::Stage& stage : planner::cut_into_stages(bound.root, bound.subqueries)) {
    if (!stage.breaker) continue;
    const plan::Node& node = *stage.breaker;
    planner::make_breaker(stage, contexts.context(node, never, 1), contexts.spill_target(node));
  }
}

}  // namespace

std::shared_ptr<PreparedQuery> PreparedQuery::make(std::span<const uint8_t> message, bool has_functions) {
  const Timing timing;
  ++num_bound;
  plan::PlanMessage decoded = plan::decode_plan(message);
  if (has_functions) decoded.bridge = std::make_shared<plan::Bridge>();
  plan::Judgement judgement = planner::judge_query(decoded);
  if (judgement.verdict.supported) {
    try {
      try_operators(judgement.plan);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Unsupported) throw;
      judgement.verdict.refuse_node(error.plan_node() >= 0 ? error.plan_node() : decoded.root, error.message());
    }
  }
  return std::shared_ptr<PreparedQuery>(new PreparedQuery(std::move(judgement)));
}

const plan::BoundPlan& PreparedQuery::plan() const {
  plan::throw_unless_supported(verdict());
  return judgement_.plan;
}

std::shared_ptr<const OpenedPlan> PreparedQuery::open(const planner::Tables& rows, std::span<const uint8_t> splits,
                                                      const planner::PlacementOptions& placement,
                                                      int64_t memory_limit_bytes) {
  const plan::BoundPlan& bound = plan();
  const std::lock_guard opening(opening_);
  if (auto found = find_opened(splits, placement)) return found;
  const Timing timing;
  ++num_opened;
  auto opened = std::make_shared<OpenedPlan>();
  opened->files = planner::open_files(bound, splits, placement.num_threads,
                                      make_query_budget(memory_limit_bytes, memory::plan_budget()));
  planner::Tables tables = rows;
  tables.insert(opened->files.begin(), opened->files.end());
  planner::DevicePlacement devices(placement);
  opened->plan = planner::make_physical_plan(planner::rewrite(bound, tables), &tables, devices);
  if (splits_.empty()) memory::process_budget()->add_reclaimer(shared_from_this());
  splits_.assign(splits.begin(), splits.end());
  placement_ = placement;
  const std::lock_guard lock(mutex_);
  opened_ = opened;
  return opened;
}

std::shared_ptr<const OpenedPlan> PreparedQuery::find_opened(std::span<const uint8_t> splits,
                                                             const planner::PlacementOptions& placement) {
  const std::lock_guard lock(mutex_);
  return placement_ == placement && std::ranges::equal(splits_, splits) ? opened_ : nullptr;
}

void PreparedQuery::reclaim() noexcept {
  std::shared_ptr<const OpenedPlan> dropped;
  const std::lock_guard lock(mutex_);
  dropped.swap(opened_);
}

PreparationCounts preparation_counts() {
  return {num_bound, num_opened, spent_nanos, memory::plan_budget()->used_bytes()};
}

std::shared_ptr<memory::Budget> make_query_budget(int64_t limit_bytes, const std::shared_ptr<memory::Budget>& parent) {
  // The application's own limit comes with every query too: the process's budget is the one to name.
  const bool limited = limit_bytes > 0 && limit_bytes < memory::process_budget()->limit_bytes();
  return std::make_shared<memory::Budget>("query budget", limited ? limit_bytes : memory::Budget::kUnlimited, parent,
                                          "set spark.accelerant.memory.limit higher in the session");
}

}  // namespace accelerant::runtime
