#include "plan/scan.h"

#include "plan/filter.h"

namespace accelerant::plan {

std::string Scan::describe() const {
  return "columns=" + std::to_string(spec->columns.size()) + " filters=" + std::to_string(spec->filters.size());
}

double Scan::estimate_rows(std::span<const double> rows) const {
  return rows.front() * Filter::passing_share(num_selective);
}

}  // namespace accelerant::plan
