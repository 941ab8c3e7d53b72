#pragma once

#include "io/scan.h"
#include "plan/node.h"
#include "plan/plan_message.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace accelerant::plan {

/// A column that Spark's expressions refer to by id.
struct Attribute {
  int64_t expr_id = -1;
  OutputColumn column;
  int position = -1;  ///< in the output of the node below, or in OpenScan::columns
};

/// Reads the AttributeReference at `index`.
/// @throws Error Unsupported when it is something else, or one whose metadata gives it a meaning of its own
Attribute read_attribute(const PlanMessage& message, int index, bool reads_files = false);
/// Reads a plan node's `output`; empty when there is none to be read.
std::vector<Attribute> read_output(const PlanMessage& message, int plan_node);

/// A scan that still takes in what is above it: filters, and the choice of columns.
struct OpenScan {
  int plan_node = -1;
  std::vector<io::ScanColumn> columns;  ///< all that Spark would give out
  std::vector<types::DataType> partition_types;
  bool case_sensitive = false;
  std::vector<int> partition_conjuncts;  ///< of subqueries' values: Spark chose the files without them
  std::vector<int> conjuncts;            ///< expressions, in Spark's order
  int filter_plan_node = -1;
  std::vector<int> fused;
};

/// A limit of the rows of each partition, which only Spark's optimizer makes: below a limit of all, or in a join's side
/// of which more rows never count.
struct LocalLimit {
  int plan_node = -1;
  int64_t rows = 0;
};

/// What a bound Spark plan node gives to the one above: a node or an open scan, and the columns by their ids. The
/// columns need not be all of the node's, nor in its order.
struct Relation {
  std::shared_ptr<Node> node;
  std::optional<OpenScan> scan;
  std::vector<Attribute> attributes;
  bool failed = false;  ///< something below is unsupported: what is above is only checked
  /// Why only certain nodes may stand above, e.g. a partial aggregate; empty: all may.
  std::string unfinished;
  std::optional<LocalLimit> local_limit;  ///< set above one; the relation is unfinished then
  bool sorted_locally = false;            ///< set above a sort of each partition, which joins and aggregates ignore
  /// Ids of the columns that such a sort below the first step of an aggregate goes by; -1 for an expression.
  std::set<int64_t> sorted_by;
  std::vector<int> partial_aggregates;  ///< plan nodes of an aggregate's steps, lowest first, whose last is to follow
  /// Directly above an Expand: ids of the columns that are another constant in each projection.
  std::set<int64_t> projections_told_apart_by;
  /// Ids of the columns when they are keys of an aggregate, no two rows of which are equal.
  std::optional<std::set<int64_t>> distinct;
};

/// Turns an open scan into a node that gives out the attributes whose ids are in `needed` (nullptr: all), and renumbers
/// them.
void close_scan(const PlanMessage& message, Relation& relation, const std::unordered_set<int64_t>* needed = nullptr);

/// Returns a node whose output is the relation's columns under their names, in their order; its scan is closed.
/// @param plan_node index of the Spark node that stands for it if one has to be made
NodePtr give_out(const PlanMessage& message, Relation relation, int plan_node);

/// Adds the ids of all attributes that an expression refers to.
void collect_references(const PlanMessage& message, int expression, std::unordered_set<int64_t>& ids);

/// Counts the conjuncts that may drop many rows: all but IS NOT NULL.
int count_selective(const PlanMessage& message, const std::vector<int>& conjuncts);

/// Splits an expression at the nodes of class `short_class` (And, Or) into operands, left to right.
std::vector<int> flatten(const PlanMessage& message, int expression, std::string_view short_class);

}  // namespace accelerant::plan
