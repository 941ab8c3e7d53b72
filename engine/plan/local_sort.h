#pragma once

#include "plan/of_partitions.h"
#include "plan/sort.h"

#include <optional>
#include <string>
#include <vector>

namespace accelerant::plan {

/// Sorts the rows of each partition, which joins and most aggregates do not depend on.
struct LocalSort final : OfPartitions<LocalSort> {
  /// Binds a SortExec that is not global.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "LocalSort"; }
  std::string describe() const override { return "keys=" + std::to_string(keys.size()); }
  ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) override;
  auto members() const { return std::tie(keys, order, computed_keys, reason_against_order); }

  std::vector<std::optional<int>> keys;  ///< positions of the columns that it sorts by; none for an expression
  std::vector<SortKey> order;            ///< by which a Sort would put all rows in its order
  ProgramPtr computed_keys;              ///< of that Sort
  std::string reason_against_order;      ///< why there is no such Sort; empty: there is
};

}  // namespace accelerant::plan
