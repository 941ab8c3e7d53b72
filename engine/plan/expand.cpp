#include "plan/expand.h"

namespace accelerant::plan {

std::string Expand::describe() const { return "projections=" + std::to_string(projections.size()); }

}  // namespace accelerant::plan
