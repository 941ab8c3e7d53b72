#include "operators/buffered_rows.h"

#include <utility>

namespace accelerant::operators {

BufferedRowsSource::BufferedRowsSource(std::shared_ptr<const BufferedRows> rows, int index, int count)
    : rows_(std::move(rows)),
      first_(rows_->batches.size() * static_cast<size_t>(index) / static_cast<size_t>(count)),
      last_(rows_->batches.size() * static_cast<size_t>(index + 1) / static_cast<size_t>(count)) {}

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
