#pragma once

#include "expressions/program.h"
#include "plan/binding.h"
#include "plan/node_fields.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace accelerant::plan {

class ExpressionBinder;
struct SortKey;

/// Binds one Spark plan node whose children are bound.
/// @throws Error Unsupported with all reasons found
using OperatorRule = Relation (*)(Binding&, NodeFields&);

/// Returns the rule for a Spark class, or nullptr.
OperatorRule find_operator_rule(std::string_view class_name);

/// Puts a node that emits a relation's columns on top of it.
void stand_above(Relation& input, std::shared_ptr<Node> node, int plan_node);
/// Binds named expressions to a program of attributes, which become those that it gives.
ProgramPtr bind_projection(const PlanMessage& message, const std::vector<int>& expressions,
                           std::vector<Attribute>& attributes);
/// Returns how many rows a limit leaves that Spark counts with those skipped (-1: all).
int64_t rows_after_offset(int64_t limit, int64_t offset);
/// Binds SortOrder expressions to keys of a Sort, and what computes those that are no columns.
void bind_order(const PlanMessage& message, const Relation& input, const std::vector<int>& orders,
                std::vector<SortKey>& keys, ProgramPtr& computed);

/// Fails unless the conjuncts of a filter, as they were bound, are booleans; reports whatever else the binder noted.
void check_conjuncts(ExpressionBinder& binder, const std::vector<expressions::Slot>& slots);
/// Returns the attribute that a named expression (AttributeReference or Alias) gives, without a position.
Attribute named_attribute(const PlanMessage& message, int expression);
/// Returns the output columns of attributes.
std::vector<OutputColumn> columns_of(const std::vector<Attribute>& attributes);

}  // namespace accelerant::plan
