#include "base/error.h"
#include "plan/expression_binder.h"
#include "plan/filter.h"
#include "plan/operator_rules.h"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

namespace accelerant::plan {

using expressions::Slot;

void check_conjuncts(ExpressionBinder& binder, const std::vector<Slot>& slots) {
  for (const Slot slot : slots) {
    if (slot == ExpressionBinder::kFailed || binder.builder().type(slot).is(types::TypeId::Boolean)) continue;
    binder.note("a filter of type " + binder.builder().type(slot).to_string());
  }
  binder.throw_if_failed();
}

namespace {

/// Returns the id of the column of which an expression only asks whether it is not null, if there is one.
std::optional<int64_t> find_null_checked(const PlanMessage& message, int expression) {
  if (short_name(message.node(expression).class_name) != "IsNotNull") return std::nullopt;
  const int child = NodeFields(message, expression).take_node("child");
  if (short_name(message.node(child).class_name) != "AttributeReference") return std::nullopt;
  return NodeFields(message, child).take_integer("exprId");
}

/// Returns conjuncts in the order in which a filter of Spark's asks them: whether a column is not null before the first
/// one that reads the column, or at the end.
std::vector<int> in_order_of_asking(const PlanMessage& message, const std::vector<int>& conjuncts) {
  std::vector<std::pair<int64_t, int>> null_checks;  // a column's id, and the conjunct
  std::vector<int> others;
  for (const int conjunct : conjuncts) {
    const std::optional<int64_t> column = find_null_checked(message, conjunct);
    if (column) {
      null_checks.emplace_back(*column, conjunct);
    } else {
      others.push_back(conjunct);
    }
  }
  std::vector<int> ordered;
  for (const int conjunct : others) {
    std::unordered_set<int64_t> columns;
    collect_references(message, conjunct, columns);
    const auto is_due = [&](const auto& check) { return columns.contains(check.first); };
    for (const auto& check : null_checks) {
      if (is_due(check)) ordered.push_back(check.second);
    }
    std::erase_if(null_checks, is_due);
    ordered.push_back(conjunct);
  }
  for (const auto& check : null_checks) ordered.push_back(check.second);
  return ordered;
}

}  // namespace

Relation Filter::bind(Binding& binding, NodeFields& fields) {
  const PlanMessage& message = binding.message();
  const int condition = fields.take_node("condition");
  Relation input = binding.input(fields.take_node("child"));
  fields.ignore("output");
  fields.finish();
  const std::vector<int> conjuncts = in_order_of_asking(message, flatten(message, condition, "And"));
  ExpressionBinder binder(message, input.attributes);
  const std::vector<Slot> slots = binder.bind_all(conjuncts);
  check_conjuncts(binder, slots);
  auto node = std::make_shared<Filter>();
  node->program = binder.finish(slots);
  node->num_conjuncts = static_cast<int>(slots.size());
  stand_above(input, std::move(node), fields.index());
  return input;
}

}  // namespace accelerant::plan
