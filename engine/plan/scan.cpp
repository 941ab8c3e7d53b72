#include "plan/scan.h"

#include "plan/estimates.h"

#include <algorithm>

namespace accelerant::plan {

std::string Scan::describe() const {
  return "columns=" + std::to_string(spec->columns.size()) + " filters=" + std::to_string(spec->filters.size());
}

std::vector<size_t> Scan::emitted_columns() const {
  std::vector<size_t> emitted;
  for (size_t i = 0; i < spec->columns.size(); ++i) {
    if (!spec->columns[i].filter_only) emitted.push_back(i);
  }
  return emitted;
}

double Scan::estimate_rows(Estimates& estimates) const {
  const double rows = estimates.table_rows(*this);
  return spec ? rows * estimates.passing_share(*this, spec->filters) : rows;
}

ValueEstimate Scan::estimate_column(int column, Estimates& estimates) const {
  ValueEstimate unknown;
  unknown.num_distinct = unknown.table_rows = estimates.table_rows(*this);
  if (!spec || spec->columns[static_cast<size_t>(column)].partition_index >= 0) return unknown;
  ValueEstimate estimate = estimates.table_column(*this, column);
  if (estimate.min && estimate.max && !spec->columns[static_cast<size_t>(column)].type.is_floating()) {
    estimate.num_distinct = std::min(estimate.num_distinct, *estimate.max - *estimate.min + 1);
  }
  return estimate;
}

}  // namespace accelerant::plan
