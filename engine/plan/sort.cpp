#include "plan/sort.h"

#include "plan/estimates.h"

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

std::vector<ColumnMask> columns_read_to_sort(const std::vector<SortKey>& keys, const ColumnMask& wanted) {
  ColumnMask read = wanted;
  for (const SortKey& key : keys) read[static_cast<size_t>(key.column)] = true;
  return {read};
}

double Sort::estimate_rows(Estimates& estimates) const { return estimates.rows(*inputs.front()); }

}  // namespace accelerant::plan
