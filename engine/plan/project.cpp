#include "plan/project.h"

#include "expressions/moved_program.h"
#include "plan/estimates.h"

#include <utility>

namespace accelerant::plan {

std::string Project::describe() const { return ""; }

bool Project::only_chooses() const {
  for (int i = 0; i < program->num_outputs(); ++i) {
    if (!program->input_of(i)) return false;
  }
  return true;
}

ColumnPositions Project::put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) {
  program = expressions::moved(program, places.front());
  return stay_above(std::move(changed));
}

double Project::estimate_rows(Estimates& estimates) const { return estimates.rows(*inputs.front()); }

}  // namespace accelerant::plan
