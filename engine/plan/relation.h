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
#include <variant>
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
  io::FileFormat format = io::FileFormat::Parquet;
  std::vector<io::ScanColumn> columns;  ///< all that Spark would emit
  std::vector<types::DataType> partition_types;
  bool case_sensitive = false;
  std::vector<int> partition_conjuncts;  ///< of subqueries' values: Spark chose the files without them
  std::vector<int> conjuncts;            ///< expressions, in Spark's order
  int filter_plan_node = -1;
  std::vector<int> fused;
};

/// Something below is unsupported: what is above is only checked.
struct Failed {};

/// What a relation's rows come from. A node is never null.
using RowSource = std::variant<Failed, OpenScan, std::shared_ptr<Node>>;

/// Its rows are those that Spark would emit.
struct Whole {};

/// A limit of the rows of each partition, which only Spark's optimizer makes: below a limit of all, or in a join's side
/// of which more rows never count.
struct LocalLimit {
  int plan_node = -1;
  int64_t rows = 0;
};

/// A sort of each partition, which joins and aggregates ignore.
struct LocalSort {};

/// The lower steps of an aggregate, whose last is to follow; a sort of each partition may stand above.
struct PartialAggregate {
  std::vector<int> steps;  ///< plan nodes, lowest first
};

/// What of a relation only certain nodes above can complete.
using Completeness = std::variant<Whole, LocalLimit, LocalSort, PartialAggregate>;

/// What a bound Spark plan node gives to the one above: where rows come from, and the columns by their ids. The columns
/// need not be all of the node's, nor in its order.
struct Relation {
  RowSource source;
  std::vector<Attribute> attributes;
  Completeness completeness;
  /// Ids of the columns that sorts of each partition below the first step of an aggregate go by; -1 for an expression.
  std::set<int64_t> sorted_by;
  /// Directly above an Expand: ids of the columns that are another constant in each projection.
  std::set<int64_t> projections_told_apart_by;
  /// Ids of the columns when they are keys of an aggregate, no two rows of which are equal.
  std::optional<std::set<int64_t>> distinct;

  bool failed() const { return std::holds_alternative<Failed>(source); }
  /// Returns the open scan; nullptr where there is none.
  OpenScan* scan() { return std::get_if<OpenScan>(&source); }
  const OpenScan* scan() const { return std::get_if<OpenScan>(&source); }
  /// Returns the node; nullptr where the scan is open, or binding failed below.
  std::shared_ptr<Node> node() const;
  /// Takes the rows from a node above those it had. A failed relation stays so: the node above it is none.
  void put_above(std::shared_ptr<Node> node);

  bool is_whole() const { return std::holds_alternative<Whole>(completeness); }
  const LocalLimit* local_limit() const { return std::get_if<LocalLimit>(&completeness); }
  bool is_sorted_locally() const { return std::holds_alternative<LocalSort>(completeness); }
  /// Returns the steps of the aggregate that is not ended; none where there is none.
  std::vector<int> partial_steps() const;
  /// Fails unless the relation is whole, saying what it is.
  /// @throws Error Unsupported
  void require_whole() const;
};

/// Says in words what a relation is that is not whole, e.g. "a partial aggregate".
const char* to_string(const Completeness& completeness);

/// Turns an open scan into a node that emits the attributes whose ids are in `needed` (nullptr: all), and renumbers
/// them.
void close_scan(const PlanMessage& message, Relation& relation, const std::unordered_set<int64_t>* needed = nullptr);

/// Returns a node whose output is the relation's columns under their names, in their order; its scan is closed.
/// @param plan_node index of the Spark node that stands for it if one has to be made
NodePtr give_out(const PlanMessage& message, Relation relation, int plan_node);

/// Adds the ids of all attributes that an expression refers to.
void collect_references(const PlanMessage& message, int expression, std::unordered_set<int64_t>& ids);

/// Splits an expression at the nodes of class `short_class` (And, Or) into operands, left to right.
std::vector<int> flatten(const PlanMessage& message, int expression, std::string_view short_class);

}  // namespace accelerant::plan
