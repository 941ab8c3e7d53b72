#include "plan/project.h"

namespace accelerant::plan {

std::string Project::describe() const { return ""; }

}  // namespace accelerant::plan
