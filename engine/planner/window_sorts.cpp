#include "planner/window_sorts.h"

#include "plan/window.h"
#include "planner/change_nodes.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace accelerant::planner {

using plan::NodePtr;
using plan::Window;

namespace {

/// Returns which column of its input a column is that a window emits; nullopt: a result.
std::optional<int> below(const Window& window, int column) {
  const auto index = static_cast<size_t>(column);
  return index < window.passed.size() ? std::optional(window.passed[index]) : std::nullopt;
}

/// Makes a window read the input of the one below it; false where it reads that one's results.
bool move_below(Window& upper, const Window& lower) {
  bool reads_input = true;
  const auto move = [&](int& column) {
    const std::optional<int> moved = below(lower, column);
    reads_input &= moved.has_value();
    column = moved.value_or(column);
  };
  for (plan::SortKey& key : upper.keys) move(key.column);
  for (plan::WindowCall& call : upper.calls) {
    std::ranges::for_each(call.arguments, move);
    for (plan::FrameBound* bound : {&call.frame.lower, &call.frame.upper}) {
      if (bound->kind == plan::FrameBound::Kind::Value) move(bound->column);
    }
  }
  return reads_input;
}

bool begins_with(const std::vector<plan::SortKey>& keys, const std::vector<plan::SortKey>& first) {
  return first.size() <= keys.size() && std::equal(first.begin(), first.end(), keys.begin());
}

/// Says whether a window emits all columns of its input in their places, and then its results.
bool passes_all(const Window& window) {
  std::vector<int> all;
  for (size_t i = 0; i < window.inputs.front()->output.size(); ++i) all.push_back(static_cast<int>(i));
  return window.passed == all;
}

/// Rows that are equal to the window below come by further keys then, which functions of that one must not depend on.
bool sorts_for(const Window& upper, const Window& lower) {
  if (upper.num_partition_keys != lower.num_partition_keys) return false;
  return begins_with(lower.keys, upper.keys) || (begins_with(upper.keys, lower.keys) && !lower.chooses_rows());
}

NodePtr share(const NodePtr& node) {
  if (!node->is<Window>() || !node->inputs.front()->is<Window>() || !passes_all(node->as<Window>())) return node;
  const auto& lower = node->inputs.front()->as<Window>();
  auto shared = std::make_shared<Window>(node->as<Window>());
  if (shared->computed || lower.computed || shared->limit || lower.limit || !move_below(*shared, lower) ||
      !sorts_for(*shared, lower))
    return node;
  if (lower.keys.size() > shared->keys.size()) shared->keys = lower.keys;
  shared->calls.insert(shared->calls.begin(), lower.calls.begin(), lower.calls.end());
  shared->passed = lower.passed;
  shared->inputs = lower.inputs;
  shared->fused.insert(shared->fused.end(), lower.fused.begin(), lower.fused.end());
  shared->fused.push_back(lower.plan_node);
  return shared;
}

}  // namespace

NodePtr share_window_sorts(const NodePtr& root) { return change_nodes(root, share); }

}  // namespace accelerant::planner
