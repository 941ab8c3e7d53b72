#include "plan/top_k.h"

#include <algorithm>

namespace accelerant::plan {

std::string TopK::describe() const {
  return plan::describe(keys) + " limit=" + std::to_string(limit) +
         (offset > 0 ? " offset=" + std::to_string(offset) : "");
}

double TopK::estimate_rows(std::span<const double> rows) const {
  return std::min(rows.front(), static_cast<double>(limit));
}

}  // namespace accelerant::plan
