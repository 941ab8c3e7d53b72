#include "plan/filter.h"

#include "plan/estimates.h"

namespace accelerant::plan {

std::string Filter::describe() const { return "conjuncts=" + std::to_string(num_conjuncts); }

std::vector<ColumnMask> Filter::columns_read(const ColumnMask& wanted) const {
  ColumnMask read = wanted;
  add_inputs(read, program.get());
  return {read};
}

double Filter::estimate_rows(Estimates& estimates) const {
  const Node& input = *inputs.front();
  return estimates.rows(input) * estimates.passing_share(input, {&program, 1});
}

}  // namespace accelerant::plan
