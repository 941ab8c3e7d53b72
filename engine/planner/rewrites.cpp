#include "planner/rewrites.h"

#include "planner/certain_sums.h"
#include "planner/common_subplans.h"
#include "planner/join_order.h"
#include "planner/join_sides.h"
#include "planner/unread_columns.h"

namespace accelerant::planner {

namespace {

plan::NodePtr rewrite_tree(const plan::NodePtr& root, const Tables& tables) {
  Estimator estimator(tables);
  const plan::NodePtr ordered = drop_unread_columns(order_joins(root, estimator));
  return make_sums_certain(choose_join_sides(ordered, estimator));
}

}  // namespace

plan::BoundPlan rewrite(plan::BoundPlan plan, const Tables& tables) {
  plan::for_each_root(plan, [&](plan::NodePtr& root) { root = rewrite_tree(root, tables); });
  share_equal_subplans(plan, tables);
  return plan;
}

}  // namespace accelerant::planner
