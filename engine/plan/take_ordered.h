#pragma once

#include "plan/node.h"
#include "plan/sort.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace accelerant::plan {

/// The first rows in an order, and columns computed of them: Spark's sort, limit and projection in one, which rewrites
/// take apart. `output` is what `program` computes of the input's columns.
struct TakeOrdered final : NodeOf<TakeOrdered, Role::Breaker> {
  /// Binds TakeOrderedAndProjectExec.
  static Relation bind(Binding& binding, NodeFields& fields);

  const char* name() const override { return "TakeOrdered"; }
  std::string describe() const override;
  double estimate_rows(Estimates& estimates) const override;
  bool fails_by_itself() const override { return false; }
  std::vector<ColumnOrigin> origins_of(int column) const override { return origins_in(*program, column); }
  ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) override;
  bool drops_alike(size_t) const override { return false; }
  auto members() const { return std::tie(keys, computed_keys, limit, offset, program); }
  Partitioning partitioning(std::span<const Partitioning>) const override { return Partitioning::Single; }
  bool varies_in_order() const override { return false; }

  std::vector<SortKey> keys;  ///< as a Sort's
  ProgramPtr computed_keys;   ///< likewise
  int64_t limit = 0;          ///< rows emitted, after the offset
  int64_t offset = 0;         ///< rows skipped
  ProgramPtr program;
};

}  // namespace accelerant::plan
