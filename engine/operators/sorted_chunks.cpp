#include "operators/sorted_chunks.h"

#include "columns/gather.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

SortedChunks::SortedChunks(std::vector<plan::SortKey> keys, int64_t chunk_bytes, const execution::OperatorContext& ctx)
    : order_(std::make_shared<KeyOrder>(std::move(keys))),
      chunk_bytes_(chunk_bytes),
      ctx_(ctx),
      held_(std::make_shared<memory::Budget>("WriteFiles", memory::Budget::kUnlimited, ctx.budget)) {}

void SortedChunks::add(const columns::Batch& batch) {
  columns::Batch rows = columns::compact(batch, held_);
  if (rows.num_rows == 0) return;
  for (auto& column : rows.columns) column = columns::copy_compact(*column, held_);
  batches_.push_back(std::move(rows));
}

void SortedChunks::sort() {
  if (batches_.empty() && !rows_) return;
  if (!rows_) rows_.emplace(batches_, ctx_);
  batches_.clear();
  run_ = std::make_unique<const SortedRun>(*rows_, order_, ctx_);
  rows_.reset();
  run_->drop_words();
  num_taken_ = 0;
}

bool SortedChunks::take(columns::Batch& out) {
  if (!run_) return false;
  const SortedRun::View view = run_->view();
  const int64_t end = std::min(num_taken_ + ctx_.batch_rows, run_->num_rows());
  std::vector<int32_t> rows;
  rows.reserve(static_cast<size_t>(end - num_taken_));
  for (int64_t place = num_taken_; place < end; ++place) rows.push_back(view.row(place));
  out = {};
  out.num_rows = static_cast<int64_t>(rows.size());
  for (const columns::ColumnPtr& column : run_->columns()) {
    out.columns.push_back(columns::gather(*column, rows, ctx_.budget));
  }
  num_taken_ = end;
  if (num_taken_ == run_->num_rows()) run_.reset();
  return true;
}

}  // namespace accelerant::operators
