#pragma once

#include "expressions/selectivity.h"
#include "operators/table.h"
#include "plan/aggregate.h"
#include "plan/join.h"
#include "plan/node.h"
#include "plan/scan.h"

#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>

namespace accelerant::planner {

/// The opened tables of a plan's sources, by plan-message index.
using Tables = std::unordered_map<int, std::shared_ptr<const operators::Table>>;

/// What a row costs that is held in a join's table, in rows that pass one: a table takes memory and its building, a
/// probe only a look.
inline constexpr double kBuildCost = 2.0;

/// What is believed of a column that a node gives out. Filters leave it as it was in the table: it tells which values
/// may occur, not which do.
struct ColumnBelief : expressions::ColumnEstimate {
  double table_rows = 1;  ///< of the table or the groups that it comes from
};

/// Two values that a join compares.
using KeyBeliefs = std::pair<ColumnBelief, ColumnBelief>;

/// Estimates the share of all pairs of rows whose keys are equal: one over the values that may occur. Where one side is
/// a key, the other one refers to it.
double matching_share(std::span<const KeyBeliefs> keys);

/// Estimates rows and columns of a plan's nodes from what its tables say of themselves, and remembers them. The nodes
/// outlive it.
class Estimator {
 public:
  explicit Estimator(Tables tables) : tables_(std::move(tables)) {}

  /// Estimates how many rows a node gives out.
  double rows(const plan::Node& node);
  /// Estimates the share of all pairs of a left and a right row whose keys are equal.
  double equal_share(const plan::Join& join);
  ColumnBelief column(const plan::Node& node, int position);
  /// What is believed of what a program computes of a node's rows.
  ColumnBelief value(const plan::Node& node, const expressions::Program& program, int output);

 private:
  double estimate_rows(const plan::Node& node);
  double scanned_rows(const plan::Scan& scan);
  double joined_rows(const plan::Join& join);
  double num_groups(const plan::Aggregate& aggregate);
  const ColumnBelief& scanned_column(const plan::Scan& scan, int column);
  ColumnBelief summarized_column(const plan::Scan& scan, int column) const;
  ColumnBelief joined_column(const plan::Join& join, int position);
  ColumnBelief group_column(const plan::Aggregate& aggregate, int position);
  ColumnBelief unknown_column(const plan::Node& node);
  double table_rows(const plan::Node& source) const;

  const Tables tables_;
  std::unordered_map<const plan::Node*, double> rows_;
  std::map<std::pair<const plan::Scan*, int>, ColumnBelief> scanned_;
};

}  // namespace accelerant::planner
