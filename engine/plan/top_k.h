#pragma once

#include "plan/sort.h"

#include <cstdint>
#include <span>
#include <vector>

namespace accelerant::plan {

/// The first rows in an order: what a Limit leaves of a Sort, without sorting the others. Rows of equal keys keep their
/// order. `output` is the input's.
struct TopK final : NodeOf<TopK, Role::Breaker> {
  /// More rows than this, those skipped included, are sorted with all others: each worker holds twice as many.
  static constexpr int64_t kMaxRows = 64 * 1024;

  const char* name() const override { return "TopK"; }
  std::string describe() const override;
  double estimate_rows(Estimates& estimates) const override;
  std::vector<ColumnMask> columns_read(const ColumnMask& wanted) const override {
    return columns_read_to_sort(keys, wanted);
  }
  Partitioning partitioning(std::span<const Partitioning>) const override { return Partitioning::Single; }
  ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) override;
  bool fails_by_itself() const override { return false; }
  std::vector<ColumnOrigin> origins_of(int column) const override { return {{0, column}}; }
  bool drops_alike(size_t) const override { return false; }
  auto members() const { return std::tie(keys, limit, offset); }
  bool varies_in_order() const override { return false; }

  std::vector<SortKey> keys;
  int64_t limit = 0;   ///< rows emitted, after the offset
  int64_t offset = 0;  ///< rows skipped
};

}  // namespace accelerant::plan
