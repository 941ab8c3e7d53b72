#pragma once

#include "plan/node.h"

#include <span>
#include <vector>

namespace accelerant::plan {

/// Estimates the rows that the table of a source has.
double estimate_table_rows(const Node& source, Estimates& estimates);

/// The base of a source.
template <class T>
struct SourceOf : NodeOf<T, Role::Source> {
  std::vector<ColumnOrigin> origins_of(int) const final { return {}; }
  ColumnPositions put_above(std::vector<NodePtr>, std::span<const ColumnPositions>) final {
    return in_place(this->output.size());
  }
  bool fails_by_itself() const final { return false; }
  bool drops_alike(size_t) const final { return false; }
  double estimate_rows(Estimates& estimates) const override { return estimate_table_rows(*this, estimates); }
};

}  // namespace accelerant::plan
