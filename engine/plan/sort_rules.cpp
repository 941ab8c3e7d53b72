#include "base/error.h"
#include "plan/expression_binder.h"
#include "plan/operator_rules.h"
#include "plan/sort.h"

#include <algorithm>
#include <set>

namespace accelerant::plan {

using expressions::Slot;

namespace {

/// A SortOrder: the expression, and the key but for its column.
struct Order {
  int expression;
  SortKey key;
};

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

bool is_column(const PlanMessage& message, const Order& order) {
  return short_name(message.node(order.expression).class_name) == "AttributeReference";
}

/// Returns the ids of the columns that rows are sorted by; -1 stands for expressions.
std::set<int64_t> ids_of_keys(const PlanMessage& message, const std::vector<int>& indices) {
  std::set<int64_t> ids;
  for (const int index : indices) {
    const Order order = read_order(message, index);
    ids.insert(is_column(message, order) ? read_attribute(message, order.expression).expr_id : -1);
  }
  return ids;
}

}  // namespace

Relation sort(const PlanMessage& message, Relation input, const std::vector<int>& indices, int plan_node) {
  close_scan(message, input);
  std::vector<Order> orders;
  for (const int index : indices) orders.push_back(read_order(message, index));
  ExpressionBinder binder(message, input.attributes);
  std::vector<Slot> keys;
  for (const Order& order : orders) {
    keys.push_back(binder.bind(order.expression));
    const Slot key = keys.back();
    if (key == ExpressionBinder::kFailed) continue;
    const types::DataType& type = binder.builder().type(key);
    if (type.is(types::TypeId::Null) || type.is_nested()) binder.note("sort by a column of type " + type.to_string());
  }
  binder.throw_if_failed();
  if (std::all_of(orders.begin(), orders.end(), [&](const Order& order) { return is_column(message, order); })) {
    for (Order& order : orders) {
      order.key.column = binder.find_attribute(read_attribute(message, order.expression).expr_id)->position;
    }
  } else {
    const std::vector<int> columns = put_beside(binder, input, keys, "sort key", plan_node);
    for (size_t i = 0; i < orders.size(); ++i) orders[i].key.column = columns[i];
  }
  auto node = std::make_shared<Sort>();
  node->plan_node = plan_node;
  for (const Order& order : orders) node->keys.push_back(order.key);
  node->output = node_columns(input);
  node->inputs = {input.node()};
  input.put_above(std::move(node));
  return input;
}

Relation Sort::bind(Binding& binding, NodeFields& fields) {
  const std::vector<int> orders = fields.take_nodes("sortOrder");
  const bool global = fields.take_bool("global");
  Relation input = binding.unfinished_input(fields.take_node("child"));
  finish_local_limit(binding.message(), input);
  for (const char* name : {"testSpillFrequency", "output"}) fields.ignore(name);
  fields.finish();
  if (global) input.require_whole();
  if (global) return sort(binding.message(), std::move(input), orders, fields.index());
  if (!input.partial_steps().empty()) return input;  // for the sake of the aggregate's next step
  input.completeness = LocalSort();
  const std::set<int64_t> ids = ids_of_keys(binding.message(), orders);
  input.sorted_by.insert(ids.begin(), ids.end());
  return input;
}

Relation Sort::bind_top_k(Binding& binding, NodeFields& fields) {
  const int64_t rows = fields.take_integer("limit");
  const int64_t offset = fields.take_integer("offset");
  const std::vector<int> orders = fields.take_nodes("sortOrder");
  const std::vector<int> expressions = fields.take_nodes("projectList");
  Relation input = binding.input(fields.take_node("child"));
  fields.ignore("output");
  fields.finish();
  const PlanMessage& message = binding.message();
  Relation sorted = sort(message, std::move(input), orders, fields.index());
  Relation limited = limit(message, std::move(sorted), rows, offset, fields.index());
  return project(message, std::move(limited), expressions, fields.index());
}

}  // namespace accelerant::plan
