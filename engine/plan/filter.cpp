#include "plan/filter.h"

namespace accelerant::plan {

std::string Filter::describe() const { return "conjuncts=" + std::to_string(num_conjuncts); }

}  // namespace accelerant::plan
