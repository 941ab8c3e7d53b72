#include "operators/buffered_rows.h"

#include "columns/gather.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

using columns::Batch;
using columns::ColumnPtr;

std::vector<ColumnPtr> concatenate_columns(const std::vector<Batch>& batches, const execution::OperatorContext& ctx) {
  ctx.cancellation->check();
  std::vector<ColumnPtr> columns;
  std::vector<ColumnPtr> parts(batches.size());
  for (size_t column = 0; column < batches.front().columns.size(); ++column) {
    for (size_t i = 0; i < batches.size(); ++i) parts[i] = batches[i].columns[column];
    columns.push_back(columns::concatenate(parts, ctx.budget));
    ctx.cancellation->check();
  }
  return columns;
}

void append_rows(BufferedRows& result, const std::vector<ColumnPtr>& columns, std::span<const int32_t> rows,
                 const execution::OperatorContext& ctx) {
  const auto batch_rows = static_cast<size_t>(ctx.batch_rows);
  for (size_t first = 0; first < rows.size(); first += batch_rows) {
    ctx.cancellation->check();
    const auto part = rows.subspan(first, std::min(batch_rows, rows.size() - first));
    Batch batch;
    batch.num_rows = static_cast<int64_t>(part.size());
    for (const auto& column : columns) batch.columns.push_back(columns::gather(*column, part, ctx.budget));
    result.batches.push_back(std::move(batch));
  }
}

size_t BufferedRows::part_begin(int index, int count) const {
  size_t at = batches.size() * static_cast<size_t>(index) / static_cast<size_t>(count);
  while (at < continues_tie.size() && continues_tie[at]) ++at;
  return at;
}

BufferedRowsSource::BufferedRowsSource(std::shared_ptr<const BufferedRows> rows, int index, int count)
    : rows_(std::move(rows)), first_(rows_->part_begin(index, count)), last_(rows_->part_begin(index + 1, count)) {}

Step BufferedRowsSource::next(State&, columns::Batch& out) {
  const size_t taken = taken_.fetch_add(1, std::memory_order_relaxed);
  if (first_ + taken >= last_) return Step::finished();
  out = rows_->batches[first_ + taken];
  out.morsel = static_cast<int64_t>(taken);
  out.sequence = 0;
  out.ends_morsel = true;
  return Step::has_output();
}

}  // namespace accelerant::operators
