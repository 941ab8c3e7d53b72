#include "plan/limit.h"

namespace accelerant::plan {

std::string Limit::describe() const {
  std::string text = limit == kAll ? "" : "limit=" + std::to_string(limit);
  if (offset > 0) text += (text.empty() ? "offset=" : " offset=") + std::to_string(offset);
  return text;
}

}  // namespace accelerant::plan
