#include "planner/group_limits.h"

#include "plan/group_limit.h"
#include "plan/local_sort.h"
#include "plan/window.h"
#include "planner/change_nodes.h"

#include <algorithm>
#include <memory>

namespace accelerant::planner {

using plan::NodePtr;
using plan::WindowKind;

namespace {

/// Says whether a rank of rows may be limited by a window that computes a function, too: of few rows only those see it
/// that come before.
bool looks_behind(const plan::WindowCall& call) {
  const bool is_share = call.kind == WindowKind::PercentRank || call.kind == WindowKind::CumeDist;
  if (is_share || call.kind == WindowKind::NTile) return true;
  if (call.kind == WindowKind::Shift) return call.number > 0;
  const bool has_frame =
      call.kind == WindowKind::NthValue || call.kind == WindowKind::LastValue || call.kind == WindowKind::Aggregate;
  return has_frame && (call.frame.upper.kind != plan::FrameBound::Kind::Rows || call.frame.upper.rows > 0);
}

bool is_of(const plan::GroupLimit& limit, const plan::Window& window) {
  const bool is_rank = limit.limit.rank == WindowKind::RowNumber || limit.limit.rank == WindowKind::Rank ||
                       limit.limit.rank == WindowKind::DenseRank;
  return is_rank && limit.limit.rows > 0 && !window.computed && limit.keys == window.keys &&
         limit.num_partition_keys == window.num_partition_keys;
}

NodePtr take_over(const NodePtr& node) {
  if (!node->is<plan::Window>() || std::ranges::any_of(node->as<plan::Window>().calls, looks_behind)) return node;
  NodePtr below = node->inputs.front();
  while (below->is<plan::LocalSort>()) below = below->inputs.front();
  if (!below->is<plan::GroupLimit>()) return node;
  const auto& limit = below->as<plan::GroupLimit>();
  if (!is_of(limit, node->as<plan::Window>())) return node;
  auto window = std::make_shared<plan::Window>(node->as<plan::Window>());
  window->limit = limit.limit;
  return window;
}

NodePtr drop(const NodePtr& node) { return node->is<plan::GroupLimit>() ? node->inputs.front() : node; }

}  // namespace

NodePtr drop_group_limits(const NodePtr& root) { return change_nodes(change_nodes(root, take_over), drop); }

}  // namespace accelerant::planner
