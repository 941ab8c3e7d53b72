#include "plan/group_limit.h"
#include "plan/operator_rules.h"
#include "plan/sort_order.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace accelerant::plan {

namespace {

/// Returns the position of a column that an expression is.
std::optional<int> column_of(const PlanMessage& message, const Relation& input, int expression) {
  if (short_name(message.node(expression).class_name) != "AttributeReference") return std::nullopt;
  const auto id = read_attribute(message, expression).expr_id;
  const auto found = std::ranges::find(input.attributes, id, &Attribute::expr_id);
  return found == input.attributes.end() ? std::nullopt : std::optional(found->position);
}

/// Adds a key; without a column there are none.
void add_key(GroupLimit& node, SortKey key, std::optional<int> column, bool& are_columns) {
  are_columns &= column.has_value();
  key.column = column.value_or(0);
  node.keys.push_back(key);
}

}  // namespace

ColumnPositions GroupLimit::put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) {
  move_keys(keys, places.front(), changed.front()->output.size());
  return pass_on(std::move(changed), places);
}

Relation GroupLimit::bind(Binding& binding, NodeFields& fields) {
  const PlanMessage& message = binding.message();
  auto node = std::make_shared<GroupLimit>();
  const std::vector<int> partition = fields.take_nodes("partitionSpec");
  const std::vector<int> orders = fields.take_nodes("orderSpec");
  const WindowFunction* function = find_window_function(message.node(fields.take_node("rankLikeFunction")).class_name);
  node->limit.rows = fields.take_integer("limit");
  Relation input = binding.input(fields.take_node("child"));
  for (const char* name : {"mode", "output"}) fields.ignore(name);
  fields.finish();
  // What is not known leaves out nothing.
  bool are_columns = function != nullptr;
  if (function) node->limit.rank = function->kind;
  for (const int key : partition) add_key(*node, {}, column_of(message, input, key), are_columns);
  for (const int index : orders) {
    const Order order = read_order(message, index);
    add_key(*node, order.key, column_of(message, input, order.expression), are_columns);
  }
  node->num_partition_keys = partition.size();
  if (!are_columns) node->keys.clear();
  stand_above(input, std::move(node), fields.index());
  return input;
}

}  // namespace accelerant::plan
