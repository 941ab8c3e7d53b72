#include "plan/top_k.h"

#include "plan/estimates.h"

#include <algorithm>

namespace accelerant::plan {

std::string TopK::describe() const {
  return plan::describe(keys) + " limit=" + std::to_string(limit) +
         (offset > 0 ? " offset=" + std::to_string(offset) : "");
}

double TopK::estimate_rows(Estimates& estimates) const {
  return std::min(estimates.rows(*inputs.front()), static_cast<double>(limit));
}

}  // namespace accelerant::plan
