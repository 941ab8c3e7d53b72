#include "plan/take_ordered.h"

#include "expressions/moved_program.h"
#include "expressions/same_program.h"
#include "plan/estimates.h"

#include <algorithm>
#include <utility>

namespace accelerant::plan {

std::string TakeOrdered::describe() const {
  return plan::describe(keys) + " limit=" + std::to_string(limit) +
         (offset > 0 ? " offset=" + std::to_string(offset) : "");
}

double TakeOrdered::estimate_rows(Estimates& estimates) const {
  return std::min(estimates.rows(*inputs.front()), static_cast<double>(limit));
}

std::vector<ProgramPtr> TakeOrdered::programs() const {
  return computed_keys ? std::vector<ProgramPtr>{computed_keys, program} : std::vector<ProgramPtr>{program};
}

ColumnPlaces TakeOrdered::put_above(std::vector<NodePtr> changed, std::span<const ColumnPlaces> places) {
  move_keys(keys, places.front(), changed.front()->output.size());
  computed_keys = expressions::moved(computed_keys, places.front());
  program = expressions::moved(program, places.front());
  return stay_above(std::move(changed));
}

bool TakeOrdered::equals(const TakeOrdered& other) const {
  return keys == other.keys && limit == other.limit && offset == other.offset &&
         expressions::compute_same(computed_keys, other.computed_keys) &&
         expressions::compute_same(program, other.program);
}

}  // namespace accelerant::plan
