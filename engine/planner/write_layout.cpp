#include "planner/write_layout.h"

#include "plan/local_sort.h"
#include "plan/sort.h"
#include "plan/unbound.h"
#include "plan/write_files.h"
#include "planner/added_columns.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace accelerant::planner {

using plan::NodePtr;

namespace {

/// The number of a row's bucket stands behind the rows' columns.
plan::FileLayout layout_of(const plan::WriteFiles& write) {
  plan::FileLayout layout = write.files;
  if (write.bucket_id) layout.bucket_column = static_cast<int>(write.output.size());
  return layout;
}

/// Makes a sort of each partition one of all rows.
NodePtr sort_all(const plan::LocalSort& local) {
  auto sort = std::make_shared<plan::Sort>();
  sort->plan_node = local.plan_node;
  sort->fused = local.fused;
  sort->output = local.output;
  sort->inputs = local.inputs;
  sort->keys = local.order;
  sort->computed_keys = local.computed_keys;
  return sort;
}

/// Returns how many keys a sort begins with that writers put rows together by. Of Spark's sorts the number of the
/// bucket is an expression. Where Spark's writers have several files open, it adds no sort, and a program's may begin
/// otherwise.
size_t num_keys_of_writers(const plan::LocalSort& local, const plan::FileLayout& layout) {
  const std::vector<plan::SortKey> theirs = layout.order();
  size_t count = 0;
  while (count < std::min(local.keys.size(), theirs.size())) {
    const std::optional<int> column = local.keys[count] ? local.keys[count] : layout.bucket_column;
    if (column != theirs[count].column) break;
    ++count;
  }
  return count;
}

/// Returns the rows of a write in the order that its writers do not give them; nullptr where they can't be had in it.
/// @param layout whose writers are told to give them as much of it as they can
NodePtr rows_in_order(const NodePtr& rows, plan::FileLayout& layout) {
  const auto local = plan::node_as<plan::LocalSort>(rows);
  const bool is_for_writers = local && !layout.unwritten().empty();
  if (!is_for_writers) return rows;
  const size_t num_theirs = num_keys_of_writers(*local, layout);
  if (num_theirs == local->keys.size()) return local->inputs.front();
  if (!local->reason_against_order.empty()) return nullptr;
  if (!layout.is_clustered() || local->computed_keys) return sort_all(*local);
  const bool begins_with_all = num_theirs == layout.order().size();
  layout.rest_of_order.assign(local->order.begin() + (begins_with_all ? static_cast<std::ptrdiff_t>(num_theirs) : 0),
                              local->order.end());
  return local->inputs.front();
}

}  // namespace

void lay_out_files(plan::BoundPlan& plan, plan::Verdict& verdict) {
  const auto write = plan::node_as<plan::WriteFiles>(plan.root);
  if (!write) return;
  const NodePtr& given = write->inputs.front();
  plan.write_format = write->format;
  plan.files = layout_of(*write);
  NodePtr rows = rows_in_order(given, plan.files);
  if (!rows) {
    verdict.refuse_node(write->plan_node, given->as<plan::LocalSort>().reason_against_order);
    plan.root = plan::Unbound::in_place_of(*write);
    return;
  }
  if (write->bucket_id) rows = add_columns(rows, *write->bucket_id, "bucket", given->plan_node);
  const auto changed = std::make_shared<plan::WriteFiles>(*write);
  changed->output = rows->output;
  changed->inputs = {std::move(rows)};
  plan.root = changed;
}

}  // namespace accelerant::planner
