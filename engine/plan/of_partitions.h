#pragma once

#include "plan/node.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace accelerant::plan {

/// The base of a node that hands its input's rows on, and tells what Spark does to its partitions of them, or where
/// they go. A query has no partitions of Spark's: its rewrites leave none of these nodes, or refuse it.
template <class T>
struct OfPartitions : NodeOf<T, Role::Transform> {
  bool fails_by_itself() const final { return false; }
  std::vector<ColumnOrigin> origins_of(int column) const final { return {{0, column}}; }
  ColumnPositions put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) override {
    return this->pass_on(std::move(changed), places);
  }
  bool drops_alike(size_t) const final { return false; }
  double estimate_rows(Estimates& estimates) const final { return estimate_rows_of_input(*this, estimates); }
};

}  // namespace accelerant::plan
