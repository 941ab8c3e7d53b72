#include "io/nested_reader.h"

#include "columns/gather.h"
#include "io/nested_assembly.h"

#include <utility>

namespace accelerant::io {

using columns::ColumnPtr;

NestedReader::NestedReader(const FileColumn& column, std::vector<ChunkSource> chunks,
                           std::shared_ptr<memory::Budget> budget)
    : column_(column), budget_(std::move(budget)) {
  for (size_t i = 0; i < chunks.size(); ++i) {
    leaves_.push_back(std::make_unique<LeafReader>(column.nested->leaves[i], std::move(chunks[i]), budget_));
  }
}

ColumnPtr NestedReader::read(int64_t n) {
  if (n == 0) return columns::Column::nulls(column_.type, 0, budget_);
  std::vector<LeafRows> rows;
  for (const auto& leaf : leaves_) rows.push_back(leaf->read(n));
  return assemble(*column_.nested, rows, n, budget_);
}

/// Rows before the first and behind the last wanted one are not decoded.
ColumnPtr NestedReader::read_at(std::span<const int32_t> rows, int64_t n) {
  const int32_t first = rows.front();
  const int64_t num_read = int64_t{rows.back()} + 1 - first;
  skip(first);
  const ColumnPtr between = read(num_read);
  skip(n - first - num_read);
  if (num_read == static_cast<int64_t>(rows.size())) return between;
  std::vector<int32_t> places(rows.begin(), rows.end());
  for (int32_t& place : places) place -= first;
  return columns::gather(*between, places, budget_);
}

void NestedReader::skip(int64_t n) {
  for (const auto& leaf : leaves_) leaf->skip(n);
}

}  // namespace accelerant::io
