#include "plan/project.h"

#include "plan/estimates.h"

namespace accelerant::plan {

std::string Project::describe() const { return ""; }

double Project::estimate_rows(Estimates& estimates) const { return estimates.rows(*inputs.front()); }

}  // namespace accelerant::plan
