#pragma once

#include "expressions/program.h"
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
class ExpressionBinder {
 public:
  /// What `bind` returns for an expression that is unsupported.
  static constexpr expressions::Slot kFailed = -1;

  /// @param scope columns that attributes may refer to; positions are those of the program's input
  ExpressionBinder(const PlanMessage& message, std::span<const Attribute> scope);

  /// Binds an expression and all below it, each once. Never throws for what is unsupported.
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

 private:
  std::vector<int> children_of(int expression) const;
  bool any_failed(std::span<const int> children) const;
  expressions::Slot bind_one(int expression, std::span<const int> children);

  const PlanMessage& message_;
  std::span<const Attribute> scope_;
  std::unordered_map<int64_t, const Attribute*> by_id_;
  expressions::ProgramBuilder builder_;
  std::unordered_map<int, expressions::Slot> slots_;
  std::vector<std::string> reasons_;
};

}  // namespace accelerant::plan
