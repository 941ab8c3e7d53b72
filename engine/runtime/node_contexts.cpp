#include "runtime/node_contexts.h"

#include "base/error.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace accelerant::runtime {

namespace {

/// The first counters of a node: output rows and batches, and estimated rows.
constexpr size_t kRowCounters = 3;
/// The counter that is no sum.
constexpr size_t kLongestStep = NodeContexts::kCountersPerNode - 1;

}  // namespace

NodeContexts::NodeContexts(std::vector<plan::NodePtr> waiting, const std::shared_ptr<memory::Budget>& query_budget) {
  std::set<const plan::Node*> met;
  while (!waiting.empty()) {
    const plan::NodePtr node = std::move(waiting.back());
    waiting.pop_back();
    // One that is shared stands in several places.
    if (!met.insert(node.get()).second) continue;
    waiting.insert(waiting.end(), node->inputs.begin(), node->inputs.end());
    auto entry = std::make_unique<Entry>();
    entry->node = node;
    entry->budget = std::make_shared<memory::Budget>(
        std::string(node->name()) + " (plan node " + std::to_string(node->plan_node) + ")", memory::Budget::kUnlimited,
        query_budget);
    entry->spills_to = std::make_shared<spill::SpillTarget>(entry->budget->name(), query_budget);
    entries_.push_back(std::move(entry));
  }
}

void NodeContexts::look_ahead(const planner::PhysicalPlan& plan, const planner::Tables& tables) {
  for (const auto& entry : entries_) {
    const auto table = entry->node->inputs.empty() ? tables.find(entry->node->plan_node) : tables.end();
    if (table != tables.end()) entry->morsels = table->second->num_morsels();
    entry->estimated_rows = plan.estimated_rows.at(entry->node.get());
  }
}

NodeContexts::Entry& NodeContexts::entry(const plan::Node& node) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const auto& entry) { return entry->node.get() == &node; });
  ACC_CHECK(found != entries_.end());
  return **found;
}

execution::OperatorContext NodeContexts::context(const plan::Node& node, const execution::Cancellation& cancellation,
                                                 int64_t batch_rows,
                                                 std::shared_ptr<const execution::Parameters> parameters) const {
  Entry& found = entry(node);
  return {found.budget, &cancellation, &found.metrics, node.plan_node, batch_rows, std::move(parameters)};
}

std::vector<int64_t> NodeContexts::read() const {
  std::vector<int64_t> counters;
  std::set<int> seen;
  const auto add = [&](int plan_node, std::initializer_list<int64_t> values) {
    const size_t first = static_cast<size_t>(plan_node) * kCountersPerNode;
    if (counters.size() < first + kCountersPerNode) counters.resize(first + kCountersPerNode);
    const bool topmost = seen.insert(plan_node).second;
    size_t at = first;
    for (const int64_t value : values) {
      if (at == first + kLongestStep) {
        counters[at] = std::max(counters[at], value);
      } else if (topmost || at >= first + kRowCounters) {
        counters[at] += value;
      }
      ++at;
    }
  };
  const auto load = [](const std::atomic<int64_t>& counter) { return counter.load(std::memory_order_relaxed); };
  for (const auto& entry : entries_) {
    const execution::Metrics& metrics = entry->metrics;
    const int64_t rows = load(metrics.output_rows);
    const int64_t batches = load(metrics.output_batches);
    add(entry->node->plan_node,
        {rows, batches, entry->estimated_rows, load(metrics.cpu_nanos), entry->budget->peak_bytes(),
         load(entry->spills_to->written_bytes) + entry->budget->on_disk_bytes(), load(metrics.input_bytes),
         load(metrics.input_files), load(metrics.device_rows), entry->morsels,
         // Who asks for a result again has its files read again.
         std::min(load(metrics.morsels_done), entry->morsels), load(metrics.input_rows),
         load(metrics.longest_step_nanos)});
    for (int fused : entry->node->fused) add(fused, {rows, batches, entry->estimated_rows});
  }
  return counters;
}

}  // namespace accelerant::runtime
