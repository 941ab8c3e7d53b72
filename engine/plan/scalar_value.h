#pragma once

#include "plan/node.h"

#include <span>
#include <utility>
#include <vector>

namespace accelerant::plan {

/// The one row of its input's one column, or null when there is none: an uncorrelated scalar subquery. Programs take it
/// as the parameter whose number is `plan_node`.
struct ScalarValue final : NodeOf<ScalarValue, Role::Breaker> {
  const char* name() const override { return "ScalarValue"; }
  std::string describe() const override { return ""; }
  double estimate_rows(Estimates&) const override { return 1; }
  /// A second row is an error.
  bool fails_by_itself() const override { return true; }
  std::vector<ColumnOrigin> origins_of(int) const override { return {}; }
  ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions>) override {
    return stay_above(std::move(changed));
  }
  bool drops_alike(size_t) const override { return false; }
  /// Without the expression: Spark, too, computes equal subqueries once, as the first one.
  auto members() const { return std::tuple(); }
  Partitioning partitioning(std::span<const Partitioning>) const override { return Partitioning::Single; }

  int expression = -1;  ///< index in the plan message of the subquery expression
};

}  // namespace accelerant::plan
