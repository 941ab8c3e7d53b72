#include "planner/query_rewrites.h"

#include "planner/aggregate_steps.h"
#include "planner/asked_partitions.h"
#include "planner/distinct_steps.h"
#include "planner/exchanges.h"
#include "planner/expand_order.h"
#include "planner/fold_choices.h"
#include "planner/group_limits.h"
#include "planner/local_limits.h"
#include "planner/local_sorts.h"
#include "planner/made_structs.h"
#include "planner/members_apart.h"
#include "planner/narrow_scans.h"
#include "planner/push_filters.h"
#include "planner/sort_keys.h"
#include "planner/take_ordered.h"
#include "planner/top_k.h"
#include "planner/window_sorts.h"
#include "planner/window_values.h"
#include "planner/write_layout.h"

#include <memory>

namespace accelerant::planner {

namespace {

/// The end of what an operator that could not be bound stands above is not judged.
constexpr int kNoNode = -1;

using Rewrite = plan::NodePtr (*)(const plan::NodePtr&);

/// In this order: choices of columns, as of members of structs, would stand between what the others look for, a scan is
/// narrow when its filter is in it, and what chose columns of a scan, or members, may be all of a narrow one's.
constexpr Rewrite kRewritesForQueries[] = {
    drop_distinct_steps, take_ordered_apart, put_sort_keys_below, put_window_values_below, take_structs_apart,
    fold_choices,        push_filters,       narrow_scans,        read_members_apart,      fold_choices,
    share_window_sorts,  make_top_k,         relax_expand_order,
};

void rewrite_root(plan::NodePtr& root) {
  for (const Rewrite rewrite : kRewritesForQueries) root = rewrite(root);
}

/// What is of partitions looks for what stands next to it, with no exchange between.
void drop_partitions_of(plan::NodePtr& root, int root_plan_node, plan::Verdict& verdict) {
  root = drop_exchanges(root);
  root = join_aggregate_steps(root, root_plan_node, verdict);
  root = drop_group_limits(root);
  root = drop_local_sorts(root, root_plan_node, verdict);
  root = replace_local_limits(root, root_plan_node, verdict);
  root = drop_handing_on(root);
}

}  // namespace

void drop_partitions(plan::BoundPlan& plan, plan::Verdict& verdict) {
  settle_asked_partitions(plan, verdict);
  lay_out_files(plan, verdict);
  if (plan.root) drop_partitions_of(plan.root, plan.root_plan_node, verdict);
  for (plan::NodePtr& subquery : plan.subqueries) {
    const std::shared_ptr<plan::Node> changed = subquery->clone();
    drop_partitions_of(changed->inputs.front(), subquery->plan_node, verdict);
    subquery = changed;
  }
  for (plan::NodePtr& tree : plan.rest) drop_partitions_of(tree, kNoNode, verdict);
}

plan::BoundPlan rewrite_for_query(plan::BoundPlan plan) {
  rewrite_root(plan.root);
  for (plan::NodePtr& subquery : plan.subqueries) rewrite_root(subquery);
  plan.partitioning = plan.is_in_one_part ? plan::Partitioning::Single : plan::partitioning_of(*plan.root);
  return plan;
}

}  // namespace accelerant::planner
