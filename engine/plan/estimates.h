#pragma once

#include "expressions/program.h"
#include "expressions/selectivity.h"
#include "plan/node.h"

#include <span>
#include <utility>

namespace accelerant::plan {

/// What is estimated of a column that a node emits. Filters leave it as it was in the table: it tells which values may
/// occur, not which do.
struct ValueEstimate : expressions::ColumnEstimate {
  double table_rows = 1;  ///< of the table or the groups that it comes from
};

/// Two values that a join compares.
using KeyEstimates = std::pair<ValueEstimate, ValueEstimate>;

/// Estimates the share of all pairs of rows whose keys are equal: one over the values that may occur. Where one side is
/// a key, the other one refers to it.
double matching_share(std::span<const KeyEstimates> keys);

/// What is known of a plan's nodes and tables; a node asks it about its inputs to estimate itself.
class Estimates {
 public:
  virtual ~Estimates() = default;
  /// Estimates how many rows a node emits: 1 at least.
  virtual double rows(const Node& node) = 0;
  /// Estimates a column of what a node emits, by its position there.
  virtual ValueEstimate column(const Node& node, int column) = 0;
  /// Returns the rows of the table that a source reads; 1 where it is not known.
  virtual double table_rows(const Node& source) const = 0;
  /// Returns what the table says of a column of its own; as many different values as rows where it says nothing.
  virtual ValueEstimate table_column(const Node& source, int column) = 0;

  /// Returns what is assumed of a computed column: as many different values as rows.
  ValueEstimate unknown_column(const Node& node);
  /// Estimates what a program computes of a node's rows.
  ValueEstimate value(const Node& node, const expressions::Program& program, int output);
  /// Estimates the share of a node's rows for which conditions on them are true.
  double passing_share(const Node& node, std::span<const ProgramPtr> conditions);
};

}  // namespace accelerant::plan
