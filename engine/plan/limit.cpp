#include "plan/limit.h"

#include "plan/estimates.h"

#include <algorithm>

namespace accelerant::plan {

std::string Limit::describe() const {
  std::string text = limit == kAll ? "" : "limit=" + std::to_string(limit);
  if (offset > 0) text += (text.empty() ? "offset=" : " offset=") + std::to_string(offset);
  return text;
}

double Limit::estimate_rows(Estimates& estimates) const {
  const double rows = estimates.rows(*inputs.front());
  return limit == kAll ? rows : std::min(rows, static_cast<double>(limit));
}

}  // namespace accelerant::plan
