#pragma once

#include "plan/node.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace accelerant::plan {

/// Skips the first `offset` rows and emits at most `limit` of those that follow. `output` is the input's.
struct Limit final : NodeOf<Limit, Role::Breaker> {
  static constexpr int64_t kAll = -1;

  /// Binds GlobalLimitExec and CollectLimitExec.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "Limit"; }
  std::string describe() const override;
  double estimate_rows(Estimates& estimates) const override;
  std::vector<ColumnMask> columns_read(const ColumnMask& wanted) const override { return {wanted}; }
  Partitioning partitioning(std::span<const Partitioning>) const override { return Partitioning::Single; }
  ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) override {
    return pass_on(std::move(changed), places);
  }
  bool fails_by_itself() const override { return false; }
  std::vector<ColumnOrigin> origins_of(int column) const override { return {{0, column}}; }
  bool drops_alike(size_t) const override { return false; }
  auto members() const { return std::tie(limit, offset); }
  bool varies_in_order() const override { return false; }
  bool takes_first_rows() const override { return limit != kAll; }

  int64_t limit = kAll;  ///< rows emitted, after the offset; kAll: no limit
  int64_t offset = 0;    ///< rows skipped
};

}  // namespace accelerant::plan
