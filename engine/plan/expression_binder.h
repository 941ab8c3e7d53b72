#pragma once

#include "expressions/program.h"
#include "plan/bridge.h"
#include "plan/plan_message.h"
#include "plan/relation.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace accelerant::plan {

/// Binds a plan node's expressions into one program. Collects what is unsupported instead of stopping at the first.
/// Uses no native stack for the depth of expressions.
///
/// An expression that the engine lacks is bridged where the message says that Spark's code can compute it: the largest
/// tree of such expressions is one call, whose arguments are what the engine computes below. An argument that may fail
/// becomes part of the call, as Spark's code may not come to it.
class ExpressionBinder {
 public:
  /// What `bind` returns for an expression that is unsupported.
  static constexpr expressions::Slot kFailed = -1;

  /// Whether expressions that the engine lacks may be bridged. The body of a lambda is bridged with the function that
  /// takes it, or not at all.
  enum class Lacking : uint8_t { Bridged, Refused };

  /// @param scope columns that attributes may refer to; positions are those of the program's input
  ExpressionBinder(const PlanMessage& message, std::span<const Attribute> scope, Lacking lacking = Lacking::Bridged);

  /// Binds an expression and all below it, each once, or as part of a bridged call. Never throws for what is
  /// unsupported.
  expressions::Slot bind(int expression);
  std::vector<expressions::Slot> bind_all(std::span<const int> expressions);

  /// Notes why something is unsupported.
  void note(std::string reason);
  /// Throws Error{Unsupported} with all reasons found so far, if there are any.
  void throw_if_failed() const;
  /// Takes over the reasons that another binder of the same plan node found.
  void absorb(const ExpressionBinder& other);
  /// Ends binding, once; throws as `throw_if_failed` does.
  std::shared_ptr<const expressions::Program> finish(std::span<const expressions::Slot> outputs);

  /// For the rules of expression classes: the slot of a child that is bound already.
  expressions::Slot slot(int expression) const { return slots_.at(expression); }
  const Attribute* find_attribute(int64_t expr_id) const;
  expressions::ProgramBuilder& builder() { return builder_; }
  const PlanMessage& message() const { return message_; }
  /// Says whether Spark's code can compute an expression.
  bool can_bridge(int expression) const;
  bool is_in_lambda() const { return lacking_ones_ == Lacking::Refused; }

 private:
  /// What `slots_` holds for an expression that the engine lacks and that is not a call of its own yet.
  static constexpr expressions::Slot kLacking = -2;
  /// What it holds for a lambda, which is part of the function that takes it.
  static constexpr expressions::Slot kLambda = -3;

  std::vector<int> children_of(int expression) const;
  bool any_failed(std::span<const int> children) const;
  /// Says whether a bridged call computes a child by itself instead of taking it as an argument.
  bool is_part_of_call(int child) const;
  /// Makes calls of those children that the engine lacks; throws where a child's type is none of the engine's.
  void bridge_children(std::span<const int> children);
  void bridge(int expression);
  /// Says whether computing an expression, or what is below it, runs code of users.
  bool runs_code_of_users(int expression) const;
  expressions::ExternalCall external(BridgedCall call);
  expressions::Slot bind_one(int expression, std::span<const int> children);
  void bind_tree(int root);

  const PlanMessage& message_;
  std::span<const Attribute> scope_;
  const Lacking lacking_ones_;
  std::unordered_map<int64_t, const Attribute*> by_id_;
  expressions::ProgramBuilder builder_;
  std::unordered_map<int, expressions::Slot> slots_;
  std::unordered_map<int, std::string> lacking_;  ///< expressions that the engine lacks and may bridge, and why
  std::unordered_map<int, BridgedCall> calls_;    ///< by expression
  std::vector<std::string> reasons_;
};

}  // namespace accelerant::plan
