#pragma once

#include "expressions/program.h"
#include "plan/binding.h"
#include "plan/node_fields.h"

#include <string_view>
#include <vector>

namespace accelerant::plan {

class ExpressionBinder;

/// Binds one Spark plan node whose children are bound.
/// @throws Error Unsupported with all reasons found
using OperatorRule = Relation (*)(Binding&, NodeFields&);

/// Returns the rule for a Spark class, or nullptr.
OperatorRule find_operator_rule(std::string_view class_name);

/// Puts a list of named expressions on top of a relation. Without computed columns no node is made: the relation's
/// columns are chosen and renamed.
Relation project(const PlanMessage& message, Relation input, const std::vector<int>& expressions, int plan_node);
/// Puts a limit, as Spark counts it (with the skipped rows; -1: none), and an offset on top of a relation.
Relation limit(const PlanMessage& message, Relation input, int64_t limit, int64_t offset, int plan_node);
/// Puts a limit in the place of a relation's local one, if it has one: all rows together are as good as one partition.
/// Of many rows it makes nothing, as a local limit only spares work.
void finish_local_limit(const PlanMessage& message, Relation& relation);
/// Puts an order by SortOrder expressions on top of a relation.
Relation sort(const PlanMessage& message, Relation input, const std::vector<int>& orders, int plan_node);

/// Puts a projection on top of a relation whose scan is closed that emits further columns, all of one name, next to
/// the relation's; returns their positions. Ends the binder, whose scope is the relation's attributes.
std::vector<int> put_beside(ExpressionBinder& binder, Relation& input, const std::vector<expressions::Slot>& columns,
                            std::string_view name, int plan_node);

/// Fails unless the conjuncts of a filter, as they were bound, are booleans; reports whatever else the binder noted.
void check_conjuncts(ExpressionBinder& binder, const std::vector<expressions::Slot>& slots);
/// Returns the attribute that a named expression (AttributeReference or Alias) gives, without a position.
Attribute named_attribute(const PlanMessage& message, int expression);
/// Returns the output columns of attributes.
std::vector<OutputColumn> columns_of(const std::vector<Attribute>& attributes);
/// Returns the columns of the relation's node; none where binding failed below.
std::vector<OutputColumn> node_columns(const Relation& relation);

}  // namespace accelerant::plan
