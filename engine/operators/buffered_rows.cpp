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
    columns.push_back(columns::concatenate(parts, ctx.budget, ctx.cancellation));
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

BufferedRowsSource::BufferedRowsSource(std::shared_ptr<const BufferedRows> rows, int index, int count)
    : rows_(std::move(rows)),
      first_(part_begin(rows_->batches, index, count)),
      end_(part_begin(rows_->batches, index + 1, count)) {}

int64_t BufferedRowsSource::num_morsels() const { return pieces_between(first_, end_); }

Step BufferedRowsSource::next(State&, columns::Batch& out) {
  const size_t taken = taken_.fetch_add(1, std::memory_order_relaxed);
  if (static_cast<int64_t>(taken) >= num_morsels()) return Step::finished();
  const size_t at = first_.piece + taken;
  const Batch& batch = rows_->batches[at];
  const int64_t first = at == first_.piece ? first_.row : 0;
  const int64_t end = at == end_.piece ? end_.row : batch.num_rows;
  out = end - first == batch.num_rows ? batch : columns::slice(batch, first, end - first);
  out.morsel = out.morsels_before = static_cast<int64_t>(taken);
  out.sequence = 0;
  out.ends_morsel = true;
  return Step::has_output();
}

}  // namespace accelerant::operators
