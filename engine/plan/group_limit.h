#pragma once

#include "plan/of_partitions.h"
#include "plan/sort.h"
#include "plan/window.h"

#include <span>
#include <string>
#include <vector>

namespace accelerant::plan {

/// Leaves out rows of a window's partitions that come behind the first ones, for the sake of a filter above the window.
struct GroupLimit final : OfPartitions<GroupLimit> {
  /// Binds WindowGroupLimitExec.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "GroupLimit"; }
  std::string describe() const override { return plan::describe(keys) + " " + plan::describe(limit); }
  ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) override;
  auto members() const { return std::tie(keys, num_partition_keys, limit); }

  std::vector<SortKey> keys;      ///< as a Window's; empty where one of them is no column
  size_t num_partition_keys = 0;  ///< likewise
  RankLimit limit;
};

}  // namespace accelerant::plan
