#pragma once

#include "operators/table.h"
#include "plan/estimates.h"
#include "plan/node.h"

#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

namespace accelerant::planner {

/// The opened tables of a plan's sources, by plan-message index.
using Tables = std::unordered_map<int, std::shared_ptr<const operators::Table>>;

/// What a row costs that is held in a join's table, in rows that pass one: a table takes memory and its building, a
/// probe only a look.
inline constexpr double kBuildCost = 2.0;

/// Estimates rows and columns of a plan's nodes from what its tables say of themselves, and remembers them. The nodes
/// outlive it.
class Estimator final : public plan::Estimates {
 public:
  explicit Estimator(Tables tables) : tables_(std::move(tables)) {}

  double rows(const plan::Node& node) override;
  plan::ValueEstimate column(const plan::Node& node, int column) override {
    return node.estimate_column(column, *this);
  }
  double table_rows(const plan::Node& source) const override;
  plan::ValueEstimate table_column(const plan::Node& source, int column) override;

 private:
  const Tables tables_;
  std::unordered_map<const plan::Node*, double> rows_;
  std::map<std::pair<const plan::Node*, int>, plan::ValueEstimate> table_columns_;
};

}  // namespace accelerant::planner
