#pragma once

#include "plan/node.h"

#include <span>
#include <vector>

namespace accelerant::plan {

/// How one column takes part in an order.
struct SortKey {
  int column = 0;  ///< position in the input's columns
  bool ascending = true;
  bool nulls_first = true;

  friend bool operator==(const SortKey&, const SortKey&) = default;
};

/// Returns keys for people, e.g. "keys=[2 asc nulls first]".
std::string describe(const std::vector<SortKey>& keys);

/// Says which columns a node reads that gives its input's rows out in an order.
std::vector<ColumnMask> columns_read_to_sort(const std::vector<SortKey>& keys, const ColumnMask& wanted);

/// Makes keys read an input's columns at other places, and what is computed behind them.
void move_keys(std::vector<SortKey>& keys, const ColumnPositions& places, size_t num_columns);

/// Orders all rows by the keys; NaN is the greatest float, -0.0 equals 0.0, strings compare as unsigned bytes. Rows of
/// equal keys keep their order. `output` is the input's.
struct Sort final : NodeOf<Sort, Role::Breaker> {
  /// Binds SortExec, one that is not global to a LocalSort.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "Sort"; }
  std::string describe() const override { return plan::describe(keys); }
  std::vector<ColumnMask> columns_read(const ColumnMask& wanted) const override;
  Partitioning partitioning(std::span<const Partitioning> parted) const override {
    return parted.front() == Partitioning::Single ? Partitioning::Single : Partitioning::Shared;
  }
  ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) override;
  bool fails_by_itself() const override { return false; }
  std::vector<ColumnOrigin> origins_of(int column) const override { return {{0, column}}; }
  double estimate_rows(Estimates& estimates) const override;
  bool drops_alike(size_t) const override { return true; }
  auto members() const { return std::tie(keys, computed_keys); }
  bool chooses_rows() const override { return false; }
  bool varies_in_order() const override { return false; }

  std::vector<SortKey> keys;
  /// Computes keys that are no columns of the input; they count as columns behind the input's. nullptr: there are none,
  /// as where it runs.
  ProgramPtr computed_keys;
};

}  // namespace accelerant::plan
