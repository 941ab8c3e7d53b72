#pragma once

#include "plan/binder.h"
#include "plan/plan_message.h"
#include "plan/relation.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace accelerant::plan {

/// Returns Spark's name of an operator, e.g. "HashAggregate".
std::string operator_name(std::string_view class_name);

/// One pass over a message: binds every plan node that the root reaches, children first, and collects why nodes are
/// unsupported.
class Binding {
 public:
  explicit Binding(const PlanMessage& message);

  /// Binds everything. Afterwards the verdict is complete, and the plan is if the verdict says supported.
  void run();
  Verdict& verdict() { return verdict_; }
  BoundPlan& plan() { return plan_; }

  /// For the rules of operators: takes what a child gives.
  Relation input(int plan_node);

  const PlanMessage& message() const { return message_; }
  bool case_sensitive() const { return case_sensitive_; }

 private:
  void find_reachable();
  void bind_node(int plan_node);
  bool any_input_failed(int plan_node) const;
  /// Makes what stands for a node that could not be bound.
  std::shared_ptr<Node> unbound(int plan_node) const;
  void report(int plan_node, const std::string& reason);
  void check_settings();
  /// Takes the tree whose topmost Spark node is `root`; nullptr when there is none.
  NodePtr take_tree(int root);
  void add_subquery(int plan_node, int expression);
  /// Takes what is left below operators that could not be bound.
  void take_rest();
  void finish();

  const PlanMessage& message_;
  const bool case_sensitive_;
  std::set<int> reachable_;
  std::map<int, int> subqueries_;  ///< a subquery's topmost plan node, and an expression that takes its value
  std::set<int> failed_;           ///< plan nodes that are unsupported, or have such a node below
  std::map<int, Relation> relations_;
  std::vector<NodePtr> taken_;  ///< by the node that is being bound
  std::map<int, std::string> reasons_;
  Verdict verdict_;
  BoundPlan plan_;
};

}  // namespace accelerant::plan
