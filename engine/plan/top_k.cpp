#include "plan/top_k.h"

#include "plan/estimates.h"

#include <algorithm>
#include <utility>

namespace accelerant::plan {

std::string TopK::describe() const {
  return plan::describe(keys) + " limit=" + std::to_string(limit) +
         (offset > 0 ? " offset=" + std::to_string(offset) : "");
}

ColumnPositions TopK::put_above(std::vector<NodePtr> changed, std::span<const ColumnPositions> places) {
  move_keys(keys, places.front(), changed.front()->output.size());
  return pass_on(std::move(changed), places);
}

double TopK::estimate_rows(Estimates& estimates) const {
  return std::min(estimates.rows(*inputs.front()), static_cast<double>(limit));
}

}  // namespace accelerant::plan
