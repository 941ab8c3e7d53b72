#include "plan/replicate.h"

#include "expressions/moved_program.h"
#include "plan/estimates.h"

#include <utility>

namespace accelerant::plan {

ColumnPlaces Replicate::put_above(std::vector<NodePtr> changed, std::span<const ColumnPlaces> places) {
  program = expressions::moved(program, places.front());
  return stay_above(std::move(changed));
}

double Replicate::estimate_rows(Estimates& estimates) const { return estimates.rows(*inputs.front()); }

}  // namespace accelerant::plan
