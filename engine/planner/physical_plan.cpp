#include "planner/physical_plan.h"

#include "base/error.h"
#include "plan/aggregate.h"
#include "plan/join.h"
#include "planner/bounded_column.h"
#include "planner/device_placement.h"
#include "planner/grouping_sets.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace accelerant::planner {

using plan::NodePtr;

namespace {

class Cutter {
 public:
  /// Adds the stages below a node and returns the open one whose rows are the node's.
  Stage open(const NodePtr& node) {
    switch (node->role) {
      case plan::Role::Source:
        return read(node);
      case plan::Role::Transform:
        return through(node, node->inputs.front());
      case plan::Role::Breaker:
        if (is_made(*node)) return {{{node, {}, false, true}}, nullptr};
        end(open(node->inputs.front()), node);
        return read(node);
      case plan::Role::Join:
        return join(node);
      case plan::Role::Concatenation:
        return all(node->inputs);
    }
    throw Error(ErrorKind::Internal, "no stage for an operator");
  }

  /// Ends a stage in a breaker.
  void end(Stage stage, const NodePtr& breaker) {
    stage.breaker = breaker;
    stages_.push_back(std::move(stage));
  }

  std::vector<Stage> finish(Stage last) {
    stages_.push_back(std::move(last));
    return std::move(stages_);
  }

 private:
  /// Says whether a stage ends in a node: one that stands in several places is made in the first.
  bool is_made(const plan::Node& node) const {
    return std::ranges::any_of(stages_, [&](const Stage& stage) { return stage.breaker.get() == &node; });
  }

  static Stage read(const NodePtr& source) { return {{{source, {}}}, nullptr}; }

  Stage through(const NodePtr& node, const NodePtr& input) {
    Stage stage = open(input);
    for (Feed& feed : stage.feeds) feed.transforms.push_back(node);
    return stage;
  }

  Stage all(const std::vector<NodePtr>& inputs) {
    Stage stage;
    for (const NodePtr& input : inputs) {
      Stage opened = open(input);
      std::move(opened.feeds.begin(), opened.feeds.end(), std::back_inserter(stage.feeds));
    }
    return stage;
  }

  Stage join(const NodePtr& node) {
    const auto& join = node->as<plan::Join>();
    end(open(join.build_input()), node);
    Stage stage = through(node, join.probe_input());
    if (join.emits_build_rows()) stage.feeds.push_back({node, {}, true});
    return stage;
  }

  std::vector<Stage> stages_;
};

/// Notes what a stage's feeds may leave out while the query runs.
void add_requests(Stage& stage, const KeyRequests& key_requests) {
  for (Feed& feed : stage.feeds) {
    const auto found = key_requests.find(feed.source.get());
    if (found != key_requests.end()) feed.key_requests = found->second;
    feed.partition_requests = find_partition_requests(feed.source, feed.transforms);
    if (stage.breaker) feed.bounded_column = bounded_column(feed.source, feed.transforms, *stage.breaker);
  }
}

bool calls_outside(const Feed& feed, const Tables& tables) {
  const auto table = tables.find(feed.source->plan_node);
  const bool is_computed_outside =
      feed.source->role == plan::Role::Source && table != tables.end() && table->second->is_computed_outside();
  return is_computed_outside || feed.source->calls_outside() ||
         std::ranges::any_of(feed.transforms, [](const NodePtr& node) { return node->calls_outside(); });
}

bool is_frugal(const Stage& stage, const Tables& tables) {
  return stage.breaker && stage.breaker->takes_first_rows() &&
         std::ranges::any_of(stage.feeds, [&](const Feed& feed) { return calls_outside(feed, tables); });
}

/// Some screens of a `show`.
constexpr int64_t kFrugalBatchRows = 256;

void plan_frugally(Stage& stage) {
  stage.is_frugal = true;
  stage.max_batch_rows = kFrugalBatchRows;
  stage.max_workers = 1;
}

void plan_grouping_sets(Stage& stage) {
  const auto aggregate = plan::node_as<plan::Aggregate>(stage.breaker);
  if (!aggregate) return;
  if (auto sets = grouping_sets(*aggregate)) {
    stage.grouping_sets = std::make_shared<const operators::GroupingSets>(*std::move(sets));
  }
}

std::unordered_map<const plan::Node*, size_t> last_uses(const std::vector<Stage>& stages) {
  std::unordered_map<const plan::Node*, size_t> uses;
  for (size_t i = 0; i < stages.size(); ++i) {
    for (const Feed& feed : stages[i].feeds) {
      uses[feed.source.get()] = i;
      for (const NodePtr& transform : feed.transforms) uses[transform.get()] = i;
    }
  }
  return uses;
}

/// Products of joins grow beyond what an integer holds, and nobody reads so many digits.
constexpr double kMostEstimated = 1e15;

void estimate_tree(const plan::Node& node, Estimator& estimator, PhysicalPlan& plan) {
  plan.estimated_rows.emplace(&node, std::llround(std::min(estimator.rows(node), kMostEstimated)));
  for (const NodePtr& input : node.inputs) estimate_tree(*input, estimator, plan);
}

void estimate_rows(const Tables& tables, PhysicalPlan& plan) {
  Estimator estimator(tables);
  for (const NodePtr& root : plan::roots_of(plan.bound)) estimate_tree(*root, estimator, plan);
}

}  // namespace

std::vector<Stage> cut_into_stages(const NodePtr& root, const std::vector<NodePtr>& subqueries) {
  Cutter cutter;
  for (const NodePtr& subquery : subqueries) cutter.end(cutter.open(subquery->inputs.front()), subquery);
  Stage last = cutter.open(root);
  std::vector<Stage> stages = cutter.finish(std::move(last));
  std::vector<NodePtr> roots = subqueries;
  roots.push_back(root);
  const KeyRequests key_requests = find_key_requests(roots);
  for (Stage& stage : stages) add_requests(stage, key_requests);
  return stages;
}

PhysicalPlan make_physical_plan(plan::BoundPlan bound, const Tables* tables, DevicePlacement& placement) {
  PhysicalPlan made;
  made.stages = cut_into_stages(bound.root, bound.subqueries);
  for (Stage& stage : made.stages) {
    if (tables && is_frugal(stage, *tables)) plan_frugally(stage);
    plan_grouping_sets(stage);
    placement.place(stage, tables);
  }
  made.last_uses = last_uses(made.stages);
  made.bound = std::move(bound);
  if (tables) estimate_rows(*tables, made);
  return made;
}

}  // namespace accelerant::planner
