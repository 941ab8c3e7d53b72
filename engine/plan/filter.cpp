#include "plan/filter.h"

#include <cmath>

namespace accelerant::plan {

std::string Filter::describe() const { return "conjuncts=" + std::to_string(num_conjuncts); }

double Filter::estimate_rows(std::span<const double> rows) const { return rows.front() * passing_share(num_selective); }

std::vector<ColumnMask> Filter::columns_read(const ColumnMask& wanted) const {
  ColumnMask read = wanted;
  add_inputs(read, program.get());
  return {read};
}

double Filter::passing_share(int num_selective) { return std::pow(0.3, num_selective); }

}  // namespace accelerant::plan
