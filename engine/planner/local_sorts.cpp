#include "planner/local_sorts.h"

#include "plan/aggregate.h"
#include "plan/join.h"
#include "plan/local_sort.h"
#include "plan/unbound.h"
#include "plan/window.h"
#include "planner/change_nodes.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

namespace accelerant::planner {

using plan::NodePtr;

namespace {

constexpr const char* kLocalSort = "a sort of each partition";

bool is_local_sort(const NodePtr& node) { return node->is<plan::LocalSort>(); }

/// Says whether all rows of a group have the same in a column: it is a key, or what a step below groups by for the sake
/// of a DISTINCT function.
bool groups_by(const plan::Aggregate& aggregate, int column) {
  const auto is_column = [&](int output) { return aggregate.input->input_of(output) == column; };
  for (size_t key = 0; key < aggregate.keys.size(); ++key) {
    if (is_column(static_cast<int>(key))) return true;
  }
  return std::ranges::any_of(aggregate.calls, [&](const plan::AggregateCall& call) {
    return call.distinct && std::ranges::any_of(call.arguments, is_column);
  });
}

/// Says whether sorts are by the keys of the window above them, as Spark adds them: the window sorts by these itself.
bool is_sorted_for(const plan::Window& window, NodePtr input) {
  const auto is_key = [&](std::optional<int> column, const plan::SortKey& key) {
    return column ? *column == key.column : static_cast<size_t>(key.column) >= window.passed.size();
  };
  for (; is_local_sort(input); input = input->inputs.front()) {
    const auto& columns = input->as<plan::LocalSort>().keys;
    if (!std::ranges::equal(columns, window.keys, is_key)) return false;
  }
  return true;
}

/// Says why a node depends on the sorts directly below one of its inputs; empty: it does not. Spark sorts for the sake
/// of the grouping, too.
std::string reason_against(const plan::Node& node, NodePtr input) {
  if (node.is<plan::Join>()) return "";
  if (node.is<plan::Window>() && is_sorted_for(node.as<plan::Window>(), input)) return "";
  if (!node.is<plan::Aggregate>()) return std::string("over ") + kLocalSort;
  const auto& aggregate = node.as<plan::Aggregate>();
  const auto sensitive =
      std::ranges::find_if(aggregate.calls, [](const auto& call) { return call.is_order_sensitive(); });
  if (sensitive == aggregate.calls.end()) return "";
  const auto is_harmless = [&](std::optional<int> key) { return key && groups_by(aggregate, *key); };
  for (; is_local_sort(input); input = input->inputs.front()) {
    if (!std::ranges::all_of(input->as<plan::LocalSort>().keys, is_harmless))
      return std::string(sensitive->name()) + " over " + kLocalSort;
  }
  return "";
}

NodePtr below_sorts(NodePtr node) {
  while (is_local_sort(node)) node = node->inputs.front();
  return node;
}

/// Drops the sorts directly below a node, if it is none itself.
NodePtr drop_below(const NodePtr& node, plan::Verdict& verdict) {
  if (is_local_sort(node) || node->is<plan::Unbound>() || std::ranges::none_of(node->inputs, is_local_sort))
    return node;
  const std::shared_ptr<plan::Node> changed = node->clone();
  for (NodePtr& input : changed->inputs) {
    const std::string reason = is_local_sort(input) ? reason_against(*node, input) : "";
    input = below_sorts(input);
    if (reason.empty()) continue;
    verdict.refuse_node(node->plan_node, reason);
    return plan::Unbound::in_place_of(*node);
  }
  return changed;
}

}  // namespace

NodePtr drop_local_sorts(const NodePtr& root, int root_plan_node, plan::Verdict& verdict) {
  const NodePtr dropped = change_nodes(root, [&](const NodePtr& node) { return drop_below(node, verdict); });
  if (is_local_sort(dropped) && !plan::has_unbound(*dropped)) {
    verdict.refuse_node(root_plan_node, plan::reason_against_end(kLocalSort));
  }
  return below_sorts(dropped);
}

}  // namespace accelerant::planner
