#include "plan/expand.h"

#include <algorithm>

namespace accelerant::plan {

std::string Expand::describe() const {
  return "projections=" + std::to_string(projections.size()) + (in_row_order ? " in row order" : "");
}

double Expand::estimate_rows(std::span<const double> rows) const {
  return rows.front() * static_cast<double>(projections.size());
}

bool Expand::can_fail() const {
  return std::any_of(projections.begin(), projections.end(), [](const auto& program) { return program->can_fail(); });
}

std::vector<ColumnMask> Expand::columns_read(const ColumnMask&) const {
  ColumnMask read(inputs.front()->output.size(), false);
  for (const auto& projection : projections) add_inputs(read, projection.get());
  return {read};
}

}  // namespace accelerant::plan
