#include "plan/expression_binder.h"

#include "base/error.h"
#include "expressions/instruction.h"
#include "plan/constants.h"
#include "plan/expression_rules.h"
#include "plan/lambdas.h"
#include "plan/node_fields.h"
#include "plan/node_settings.h"

#include <algorithm>
#include <unordered_set>

namespace accelerant::plan {

using expressions::Slot;
using types::DataType;

ExpressionBinder::ExpressionBinder(const PlanMessage& message, std::span<const Attribute> scope, Lacking lacking)
    : message_(message),
      scope_(scope),
      lacking_ones_(lacking),
      builder_([&message](const functions::Setting& setting) { require_setting(message, setting); }) {
  for (const Attribute& attribute : scope_) by_id_.emplace(attribute.expr_id, &attribute);
}

const Attribute* ExpressionBinder::find_attribute(int64_t expr_id) const {
  const auto found = by_id_.find(expr_id);
  return found == by_id_.end() ? nullptr : found->second;
}

std::vector<int> ExpressionBinder::children_of(int expression) const {
  const MessageNode& node = message_.node(expression);
  const std::string_view name = short_name(node.class_name);
  if (name == "And" || name == "Or") return flatten(message_, expression, name);
  if (name == "LambdaFunction") return captured_by(message_, expression);
  std::vector<int> children;
  // The plan of a scalar subquery is bound as one, by Binding.
  const bool is_subquery = name == "ScalarSubquery";
  for (const NamedValue& field : node.fields) {
    for_each_node(field.value, [&](int child) {
      if (!is_subquery || !message_.node(child).is_plan) children.push_back(child);
    });
  }
  return children;
}

bool ExpressionBinder::any_failed(std::span<const int> children) const {
  return std::any_of(children.begin(), children.end(), [this](int child) { return slots_.at(child) == kFailed; });
}

namespace {

std::string described(const PlanMessage& message, int expression) {
  const std::string_view name = short_name(message.node(expression).class_name);
  if (name != "AttributeReference") return "expression " + std::string(name);
  return "column " + std::string(NodeFields(message, expression).take_text("name"));
}

}  // namespace

bool ExpressionBinder::can_bridge(int expression) const {
  return lacking_ones_ == Lacking::Bridged && message_.bridge && message_.node(expression).is_bridgeable;
}

bool ExpressionBinder::is_part_of_call(int child) const {
  if (lacking_.contains(child) || slots_.at(child) == kLambda) return true;
  const Slot slot = slots_.at(child);
  return can_bridge(child) && (builder_.constant_of(slot) || builder_.can_fail(slot));
}

void ExpressionBinder::bridge(int expression) {
  BridgedCall call{expression, {}};
  std::vector<Slot> arguments;
  std::unordered_set<int> seen;
  std::vector<int> pending{expression};
  while (!pending.empty()) {
    const std::vector<int> children = children_of(pending.back());
    pending.pop_back();
    for (const int child : children) {
      if (!seen.insert(child).second) continue;
      if (is_part_of_call(child)) {
        pending.push_back(child);
      } else {
        call.arguments.push_back(child);
        arguments.push_back(slots_.at(child));
      }
    }
  }
  const DataType& result = *message_.node(expression).type;
  slots_[expression] = builder_.callback(external(std::move(call)), std::move(arguments), result, expression);
}

bool ExpressionBinder::runs_code_of_users(int expression) const {
  std::vector<int> pending{expression};
  while (!pending.empty()) {
    const int next = pending.back();
    pending.pop_back();
    if (message_.node(next).is_of_users) return true;
    std::ranges::copy(children_of(next), std::back_inserter(pending));
  }
  return false;
}

expressions::ExternalCall ExpressionBinder::external(BridgedCall call) {
  const int expression = call.expression;
  calls_.insert_or_assign(expression, std::move(call));
  return {expression, runs_code_of_users(expression)};
}

void ExpressionBinder::bridge_children(std::span<const int> children) {
  for (const int child : children) {
    if (slots_.at(child) != kLacking) continue;
    if (!is_carried(*message_.node(child).type)) throw_unsupported(lacking_.at(child));
    bridge(child);
  }
}

Slot ExpressionBinder::bind_one(int expression, std::span<const int> children) {
  const MessageNode& node = message_.node(expression);
  try {
    if (node.is_plan) throw_unsupported("subquery " + std::string(short_name(node.class_name)));
    if (any_failed(children)) {
      if (!can_bridge(expression)) require_known_class(message_, expression);
      return kFailed;
    }
    if (short_name(node.class_name) == "LambdaFunction") return kLambda;
    if (!node.type || !is_carried(*node.type)) {
      throw_unsupported(described(message_, expression) + " of type " + (node.type ? node.type->to_string() : "none"));
    }
    require_known_class(message_, expression);
    bridge_children(children);
    const Slot slot = apply_rule(*this, expression, children);
    std::vector<Slot> arguments;
    for (const int child : children) arguments.push_back(slots_.at(child));
    const bool is_own = std::ranges::find(arguments, slot) == arguments.end();  // no alias, say
    if (can_bridge(expression) && is_own && builder_.leaves_rows(slot, arguments)) {
      builder_.leave_rows_to(slot, external({expression, {children.begin(), children.end()}, true}));
    }
    return slot;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unsupported) throw;
    if (can_bridge(expression) && node.type) {
      lacking_.emplace(expression, error.message());
      return kLacking;
    }
    note(error.message() + (node.is_bridgeable ? ", and only Spark's own code can compute it" : ""));
    return kFailed;
  }
}

/// Binds what a plan node takes: a value of a type that the engine has, or none.
Slot ExpressionBinder::bind(int root) {
  bind_tree(root);
  try {
    const int roots[] = {root};
    bridge_children(roots);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unsupported) throw;
    note(error.message());
    slots_[root] = kFailed;
  }
  return slots_.at(root);
}

void ExpressionBinder::bind_tree(int root) {
  struct Pending {
    int expression;
    std::vector<int> children;
    size_t next = 0;
  };
  std::vector<Pending> stack;
  const auto push = [&](int expression) {
    std::vector<int> children;
    try {
      if (!message_.node(expression).is_plan) children = children_of(expression);
    } catch (const Error& error) {
      note(error.message());
      slots_.emplace(expression, kFailed);
      return;
    }
    stack.push_back({expression, std::move(children)});
  };
  if (!slots_.contains(root)) push(root);
  while (!stack.empty()) {
    Pending& top = stack.back();
    while (top.next < top.children.size() && slots_.contains(top.children[top.next])) ++top.next;
    if (top.next < top.children.size()) {
      push(top.children[top.next]);
    } else {
      slots_.emplace(top.expression, bind_one(top.expression, top.children));
      stack.pop_back();
    }
  }
}

std::vector<Slot> ExpressionBinder::bind_all(std::span<const int> expressions) {
  std::vector<Slot> slots;
  slots.reserve(expressions.size());
  for (const int expression : expressions) slots.push_back(bind(expression));
  return slots;
}

void ExpressionBinder::note(std::string reason) {
  if (std::find(reasons_.begin(), reasons_.end(), reason) == reasons_.end()) reasons_.push_back(std::move(reason));
}

void ExpressionBinder::throw_if_failed() const {
  constexpr size_t kMostReasons = 20;
  if (reasons_.empty()) return;
  std::string text;
  for (size_t i = 0; i < std::min(reasons_.size(), kMostReasons); ++i) text += (i > 0 ? "; " : "") + reasons_[i];
  if (reasons_.size() > kMostReasons) text += "; and " + std::to_string(reasons_.size() - kMostReasons) + " more";
  throw_unsupported(std::move(text));
}

void ExpressionBinder::absorb(const ExpressionBinder& other) {
  for (const std::string& reason : other.reasons_) note(reason);
}

std::shared_ptr<const expressions::Program> ExpressionBinder::finish(std::span<const Slot> outputs) {
  throw_if_failed();
  auto program = std::move(builder_).finish(outputs);
  for (const expressions::Instruction& instruction : program->parts().instructions) {
    if (instruction.external) message_.bridge->use(calls_.at(instruction.external->number));
  }
  return program;
}

}  // namespace accelerant::plan
