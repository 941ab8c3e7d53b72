#include "plan/expand.h"

namespace accelerant::plan {

std::string Expand::describe() const {
  return "projections=" + std::to_string(projections.size()) + (in_row_order ? " in row order" : "");
}

}  // namespace accelerant::plan
