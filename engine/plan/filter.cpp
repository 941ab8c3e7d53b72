#include "plan/filter.h"

#include "expressions/moved_program.h"
#include "plan/estimates.h"

#include <utility>

namespace accelerant::plan {

std::string Filter::describe() const { return "conjuncts=" + std::to_string(num_conjuncts); }

std::vector<ColumnMask> Filter::columns_read(const ColumnMask& wanted) const {
  ColumnMask read = wanted;
  add_inputs(read, program.get());
  return {read};
}

ColumnPositions Filter::put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) {
  program = expressions::moved(program, places.front());
  return pass_on(std::move(changed), places);
}

double Filter::estimate_rows(Estimates& estimates) const {
  const Node& input = *inputs.front();
  return estimates.rows(input) * estimates.passing_share(input, {&program, 1});
}

}  // namespace accelerant::plan
