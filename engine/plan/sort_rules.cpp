#include "base/error.h"
#include "plan/constants.h"
#include "plan/expression_binder.h"
#include "plan/local_sort.h"
#include "plan/operator_rules.h"
#include "plan/sort.h"
#include "plan/sort_order.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace accelerant::plan {

using expressions::Slot;

Order read_order(const PlanMessage& message, int index) {
  NodeFields fields(message, index);
  if (fields.short_name() != "SortOrder")
    throw_unsupported("expression " + std::string(fields.short_name()) + " as an order");
  Order order{fields.take_node("child"), {}};
  const std::string_view direction = fields.take_enumerator("direction");
  if (direction != "Ascending" && direction != "Descending") fields.fail("direction");
  const std::string_view nulls = fields.take_enumerator("nullOrdering");
  if (nulls != "NullsFirst" && nulls != "NullsLast") fields.fail("nullOrdering");
  order.key.ascending = direction == "Ascending";
  order.key.nulls_first = nulls == "NullsFirst";
  fields.ignore("sameOrderExpressions");  // other expressions that happen to be in the same order
  fields.finish();
  return order;
}

namespace {

bool sorts_by_column(const PlanMessage& message, const Order& order) {
  return short_name(message.node(order.expression).class_name) == "AttributeReference";
}

/// Fails for keys that can't be sorted by.
void check_keys(ExpressionBinder& binder, const std::vector<Slot>& keys) {
  for (const Slot key : keys) {
    if (key == ExpressionBinder::kFailed) continue;
    const types::DataType& type = binder.builder().type(key);
    if (type.is(types::TypeId::Null) || !may_be_key(type)) binder.note("sort by a column of type " + type.to_string());
  }
  binder.throw_if_failed();
}

}  // namespace

void bind_order(const PlanMessage& message, const Relation& input, const std::vector<int>& indices,
                std::vector<SortKey>& keys, ProgramPtr& computed) {
  std::vector<Order> orders;
  for (const int index : indices) orders.push_back(read_order(message, index));
  ExpressionBinder binder(message, input.attributes);
  std::vector<Slot> slots;
  for (const Order& order : orders) slots.push_back(binder.bind(order.expression));
  check_keys(binder, slots);
  const bool all_columns =
      std::ranges::all_of(orders, [&](const Order& order) { return sorts_by_column(message, order); });
  for (size_t i = 0; i < orders.size(); ++i) {
    keys.push_back(orders[i].key);
    keys.back().column = all_columns
                             ? binder.find_attribute(read_attribute(message, orders[i].expression).expr_id)->position
                             : static_cast<int>(input.attributes.size() + i);
  }
  if (!all_columns) computed = binder.finish(slots);
}

namespace {

Relation sort_all(const PlanMessage& message, Relation input, const std::vector<int>& orders, int plan_node) {
  auto node = std::make_shared<Sort>();
  bind_order(message, input, orders, node->keys, node->computed_keys);
  stand_above(input, std::move(node), plan_node);
  return input;
}

/// Binds the order of all rows that a sort of each partition would be. Most who stand above such a sort do not ask for
/// it: where it can't be had, that is no reason against the sort.
void bind_order_of_all(const PlanMessage& message, const Relation& input, const std::vector<int>& orders,
                       LocalSort& node) {
  try {
    bind_order(message, input, orders, node.order, node.computed_keys);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unsupported) throw;
    node.reason_against_order = error.message();
  }
}

Relation sort_locally(const PlanMessage& message, Relation input, const std::vector<int>& orders, int plan_node) {
  auto node = std::make_shared<LocalSort>();
  for (const int index : orders) {
    const Order order = read_order(message, index);
    const auto id = sorts_by_column(message, order) ? read_attribute(message, order.expression).expr_id : -1;
    const auto found = std::ranges::find(input.attributes, id, &Attribute::expr_id);
    node->keys.push_back(found == input.attributes.end() ? std::nullopt : std::optional(found->position));
  }
  bind_order_of_all(message, input, orders, *node);
  stand_above(input, std::move(node), plan_node);
  return input;
}

}  // namespace

Relation Sort::bind(Binding& binding, NodeFields& fields) {
  const std::vector<int> orders = fields.take_nodes("sortOrder");
  const bool global = fields.take_bool("global");
  Relation input = binding.input(fields.take_node("child"));
  for (const char* name : {"testSpillFrequency", "output"}) fields.ignore(name);
  fields.finish();
  if (global) return sort_all(binding.message(), std::move(input), orders, fields.index());
  return sort_locally(binding.message(), std::move(input), orders, fields.index());
}

}  // namespace accelerant::plan
