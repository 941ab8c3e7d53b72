#include "operators/sorted_chunks.h"

#include "columns/gather.h"

#include <algorithm>
#include <span>
#include <utility>

namespace accelerant::operators {

SortedChunks::SortedChunks(std::vector<plan::SortKey> keys, int64_t chunk_bytes, const execution::OperatorContext& ctx)
    : order_(std::make_shared<KeyOrder>(std::move(keys))),
      chunk_bytes_(chunk_bytes),
      ctx_(ctx),
      held_(std::make_shared<memory::Budget>("WriteFiles", memory::Budget::kUnlimited, ctx.budget)) {}

void SortedChunks::add(columns::Batch batch) {
  batch = columns::compact(std::move(batch), held_);
  if (batch.num_rows == 0) return;
  for (auto& column : batch.columns) column = columns::copy_compact(*column, held_);
  batches_.push_back(std::move(batch));
}

void SortedChunks::sort() {
  if (batches_.empty()) return;
  run_ = std::make_unique<const SortedRun>(std::exchange(batches_, {}), order_, ctx_);
  num_taken_ = 0;
}

bool SortedChunks::take(columns::Batch& out) {
  if (!run_) return false;
  const std::span rows = run_->rows().subspan(num_taken_);
  const std::span wanted = rows.first(std::min(rows.size(), static_cast<size_t>(ctx_.batch_rows)));
  std::vector<int32_t> places;
  places.reserve(wanted.size());
  for (const KeyedRow& row : wanted) places.push_back(row.row);
  out = {};
  out.num_rows = static_cast<int64_t>(places.size());
  for (const columns::ColumnPtr& column : run_->columns()) {
    out.columns.push_back(columns::gather(*column, places, ctx_.budget));
  }
  num_taken_ += places.size();
  if (places.size() == rows.size()) run_.reset();
  return true;
}

}  // namespace accelerant::operators
