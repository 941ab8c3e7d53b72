#include "io/nested_reader.h"

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

ColumnPtr NestedReader::read_at(std::span<const int32_t> rows, int64_t n) {
  const int64_t end = int64_t{rows.back()} + 1;
  std::vector<LeafRows> picked;
  for (const auto& leaf : leaves_) picked.push_back(leaf->read_at(rows, end));
  skip(n - end);
  return assemble(*column_.nested, picked, static_cast<int64_t>(rows.size()), budget_);
}

void NestedReader::skip(int64_t n) {
  for (const auto& leaf : leaves_) leaf->skip(n);
}

}  // namespace accelerant::io
