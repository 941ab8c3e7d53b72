#include "plan/file_layout.h"

namespace accelerant::plan {

std::vector<SortKey> FileLayout::order() const {
  std::vector<SortKey> keys;
  for (size_t i = num_static_partitions; i < partition_columns.size(); ++i) {
    keys.push_back({.column = partition_columns[i]});
  }
  if (bucket_column) keys.push_back({.column = *bucket_column});
  for (const int column : sort_columns) keys.push_back({.column = column});
  keys.insert(keys.end(), rest_of_order.begin(), rest_of_order.end());
  return keys;
}

std::vector<int> FileLayout::unwritten() const {
  std::vector<int> columns = partition_columns;
  if (bucket_column) columns.push_back(*bucket_column);
  return columns;
}

}  // namespace accelerant::plan
