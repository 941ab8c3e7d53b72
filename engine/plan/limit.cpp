#include "plan/limit.h"

#include <algorithm>

namespace accelerant::plan {

std::string Limit::describe() const {
  std::string text = limit == kAll ? "" : "limit=" + std::to_string(limit);
  if (offset > 0) text += (text.empty() ? "offset=" : " offset=") + std::to_string(offset);
  return text;
}

double Limit::estimate_rows(std::span<const double> rows) const {
  return limit == kAll ? rows.front() : std::min(rows.front(), static_cast<double>(limit));
}

}  // namespace accelerant::plan
