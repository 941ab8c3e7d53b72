#include "plan/sort.h"

namespace accelerant::plan {

std::string describe(const std::vector<SortKey>& keys) {
  std::string text = "keys=[";
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(keys[i].column) + (keys[i].ascending ? " asc" : " desc");
    text += keys[i].nulls_first ? " nulls first" : " nulls last";
  }
  return text + "]";
}

}  // namespace accelerant::plan
