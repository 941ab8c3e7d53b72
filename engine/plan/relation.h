#pragma once

#include "plan/node.h"
#include "plan/plan_message.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace accelerant::plan {

/// A column that Spark's expressions refer to by id.
struct Attribute {
  int64_t expr_id = -1;
  OutputColumn column;
  int position = -1;  ///< in the output of the node below
};

/// Reads the AttributeReference at `index`.
/// @throws Error Unsupported when it is something else, or one whose metadata gives it a meaning of its own
Attribute read_attribute(const PlanMessage& message, int index, bool reads_files = false);
/// Reads a plan node's `output`; empty when there is none to be read.
std::vector<Attribute> read_output(const PlanMessage& message, int plan_node);

/// What a bound Spark plan node gives to the one above: the node that its rows come from, and its columns by their ids.
struct Relation {
  NodePtr node;
  std::vector<Attribute> attributes;
  bool failed = false;  ///< something at or below it is unsupported
};

/// Adds the ids of all attributes that an expression refers to.
void collect_references(const PlanMessage& message, int expression, std::unordered_set<int64_t>& ids);

/// Splits an expression at the nodes of class `short_class` (And, Or) into operands, left to right.
std::vector<int> flatten(const PlanMessage& message, int expression, std::string_view short_class);

}  // namespace accelerant::plan
