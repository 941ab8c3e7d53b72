#include "plan/binding.h"

#include "base/error.h"
#include "expressions/binding.h"
#include "expressions/registry.h"
#include "plan/aggregate_step.h"
#include "plan/expression_binder.h"
#include "plan/node_fields.h"
#include "plan/node_settings.h"
#include "plan/operator_rules.h"
#include "plan/scalar_value.h"
#include "plan/scan.h"
#include "plan/settings.h"
#include "plan/unbound.h"
#include "plan/write_files.h"
#include "types/same_values.h"

#include <algorithm>

namespace accelerant::plan {

std::string operator_name(std::string_view class_name) {
  std::string name(short_name(class_name));
  if (name.ends_with("Exec")) name.resize(name.size() - 4);
  return name;
}

namespace {

/// Deeper plans than this would make recursion over plan nodes unsafe.
constexpr size_t kMaxOperators = 500;

void for_each_input(const PlanMessage& message, int plan_node, const auto& visit) {
  for (const NamedValue& field : message.node(plan_node).fields) {
    for_each_node(field.value, [&](int index) {
      if (message.node(index).is_plan) visit(index);
    });
  }
}

/// Fails unless a relation's columns are the ones that Spark says the node emits.
void check_output(const PlanMessage& message, int plan_node, const Relation& relation) {
  const std::vector<Attribute> expected = read_output(message, plan_node);
  const bool same = std::equal(expected.begin(), expected.end(), relation.attributes.begin(), relation.attributes.end(),
                               [](const Attribute& a, const Attribute& b) {
                                 return a.expr_id == b.expr_id && types::same_values(a.column.type, b.column.type);
                               });
  if (!same) NodeFields(message, plan_node).fail("output", "is not what the engine would emit");
}

void find_scans(const Node& node, std::vector<int>& scans) {
  if (node.is<Scan>()) scans.push_back(node.plan_node);
  for (const NodePtr& input : node.inputs) find_scans(*input, scans);
}

/// Returns the type of the first expression that a node has; nullopt: it has none.
std::optional<types::DataType> type_of_first(const PlanMessage& message, const MessageNode& node) {
  std::optional<types::DataType> found;
  for (const NamedValue& field : node.fields) {
    for_each_node(field.value, [&](int child) {
      if (!found) found = message.node(child).type;
    });
  }
  return found;
}

/// Describes the first call that leaves some values to Spark and is not bridged; empty: there is none.
std::string call_that_needs_spark(const PlanMessage& message) {
  for (size_t i = 0; i < message.nodes.size(); ++i) {
    const MessageNode& node = message.nodes[i];
    if (message.bridge && node.is_bridgeable) continue;
    for (const expressions::Function* function : expressions::find_functions(node.class_name)) {
      if (!function->description->needs_spark) continue;
      const std::optional<types::DataType> from = type_of_first(message, node);
      const auto takes = [&](const expressions::Overload& overload) {
        return overload.result == node.type->id() && overload.arguments.front() == from->id() &&
               expressions::supports(overload, {&*from, 1}, *node.type, expressions::EvalMode::Ansi);
      };
      if (!from || !std::ranges::any_of(function->overloads, takes)) continue;
      return std::string(short_name(node.class_name)) + " from " + from->to_string() + " to " + node.type->to_string();
    }
  }
  return "";
}

}  // namespace

Binding::Binding(const PlanMessage& message)
    : message_(message), case_sensitive_(is_set(message, "spark.sql.caseSensitive")) {}

void Binding::find_reachable() {
  std::vector<int> pending{message_.root};
  std::vector<bool> seen(message_.nodes.size());
  while (!pending.empty()) {
    const int index = pending.back();
    pending.pop_back();
    if (seen[static_cast<size_t>(index)]) continue;
    seen[static_cast<size_t>(index)] = true;
    const MessageNode& node = message_.node(index);
    if (node.is_plan) reachable_.insert(index);
    for (const NamedValue& field : node.fields) {
      for_each_node(field.value, [&](int child) {
        pending.push_back(child);
        if (node.is_plan || !message_.node(child).is_plan) return;
        // Of several that Spark merged, the first is where an error is.
        const auto [subquery, is_new] = subqueries_.emplace(child, index);
        if (!is_new) subquery->second = std::min(subquery->second, index);
      });
    }
  }
}

void Binding::report(int plan_node, const std::string& reason) {
  std::string& text = reasons_[plan_node];
  if (!text.empty()) text += "; ";
  text += reason;
  failed_.insert(plan_node);
}

bool Binding::any_input_failed(int plan_node) const {
  bool failed = false;
  for_each_input(message_, plan_node, [&](int input) { failed |= failed_.contains(input); });
  return failed;
}

Relation Binding::input(int plan_node) {
  const auto found = relations_.find(plan_node);
  if (found == relations_.end())
    throw_unsupported("its input is the input of another operator, too: only trees of operators are supported");
  Relation relation = std::move(found->second);
  relations_.erase(found);
  taken_.push_back(relation.node);
  return relation;
}

std::shared_ptr<Node> Binding::unbound(int plan_node) const {
  auto node = std::make_shared<Unbound>();
  node->plan_node = plan_node;
  node->output = columns_of(read_output(message_, plan_node));
  node->inputs = taken_;
  return node;
}

void Binding::bind_node(int plan_node) {
  Relation relation;
  taken_.clear();
  try {
    require_settings(message_, plan_node);
    NodeFields fields(message_, plan_node);
    const OperatorRule rule = find_operator_rule(fields.class_name());
    if (!rule)
      throw_unsupported("operator " + operator_name(fields.class_name()) + " (Spark " + message_.spark_version + ")");
    relation = rule(*this, fields);
    const bool gives_out = relation.node && !unended_step(*relation.node) && !relation.node->is<WriteFiles>();
    if (gives_out && !any_input_failed(plan_node)) check_output(message_, plan_node, relation);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unsupported) throw;
    report(plan_node, error.message());
  }
  if (reasons_.contains(plan_node)) relation = {nullptr, read_output(message_, plan_node), true};
  if (any_input_failed(plan_node)) relation.failed = true;
  if (relation.failed) failed_.insert(plan_node);
  if (!relation.node) relation.node = unbound(plan_node);
  relations_.insert_or_assign(plan_node, std::move(relation));
}

void Binding::check_settings() {
  for (const auto& [name, value] : message_.settings) {
    const std::string reason = reason_against_setting(name);
    if (!reason.empty()) verdict_.settings.push_back({std::string(name), reason});
  }
}

NodePtr Binding::take_tree(int root) {
  const auto found = relations_.find(root);
  if (found == relations_.end()) {
    report(root, "a subquery whose plan is an input of an operator, too: only trees of operators are supported");
    return nullptr;
  }
  const NodePtr tree = found->second.node;
  relations_.erase(found);
  return tree;
}

void Binding::take_rest() {
  for (const auto& [plan_node, relation] : relations_) plan_.rest.push_back(relation.node);
}

void Binding::add_subquery(int plan_node, int expression) {
  const NodePtr tree = take_tree(plan_node);
  if (!tree) return;
  auto value = std::make_shared<ScalarValue>();
  value->plan_node = plan_node;
  value->expression = expression;
  value->inputs = {tree};
  value->output = tree->output;
  if (tree->output.size() != 1 && !failed_.contains(plan_node)) report(plan_node, "a subquery of several columns");
  find_scans(*value, plan_.scans);
  plan_.subqueries.push_back(std::move(value));
}

void Binding::finish() {
  verdict_.needs_spark = call_that_needs_spark(message_);
  for (const auto& [plan_node, expression] : subqueries_) add_subquery(plan_node, expression);
  plan_.root = take_tree(message_.root);
  plan_.root_plan_node = message_.root;
  if (plan_.root && failed_.empty()) plan_.partitioning = partitioning_of(*plan_.root);
  if (plan_.root) find_scans(*plan_.root, plan_.scans);
  take_rest();
  std::sort(plan_.scans.begin(), plan_.scans.end());
  plan_.spark_version = message_.spark_version;
  plan_.time_zone = setting_or(message_, "spark.sql.session.timeZone", "UTC");
}

void Binding::run() {
  check_settings();
  find_reachable();
  if (reachable_.size() > kMaxOperators) {
    report(message_.root, "a plan of more than " + std::to_string(kMaxOperators) + " operators");
  } else {
    for (const int index : reachable_) bind_node(index);
    finish();
  }
  for (const int index : reachable_) {
    const auto reason = reasons_.find(index);
    verdict_.nodes.push_back(
        {index, operator_name(message_.node(index).class_name), reason == reasons_.end() ? "" : reason->second});
  }
  verdict_.supported = reasons_.empty() && verdict_.settings.empty();
  verdict_.partitioning = plan_.partitioning;
}

}  // namespace accelerant::plan
