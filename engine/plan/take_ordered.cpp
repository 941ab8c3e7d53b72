#include "plan/take_ordered.h"

#include "expressions/moved_program.h"
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

ColumnPositions TakeOrdered::put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) {
  move_keys(keys, places.front(), changed.front()->output.size());
  computed_keys = expressions::moved(computed_keys, places.front());
  program = expressions::moved(program, places.front());
  return stay_above(std::move(changed));
}

}  // namespace accelerant::plan
