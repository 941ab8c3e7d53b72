#include "operators/limit.h"

#include "columns/gather.h"
#include "operators/expression_error.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

using columns::Batch;

LimitSink::LimitSink(int64_t limit, int64_t offset, const execution::OperatorContext& ctx)
    : limit_(limit), offset_(offset), ctx_(ctx), result_(std::make_shared<BufferedRows>()) {}

Step LimitSink::consume(State&, Batch& in) {
  Batch batch = columns::compact(in, ctx_.budget);
  // What waits here outlives the file pages its values may point into.
  for (auto& column : batch.columns) column = columns::copy_compact(*column, ctx_.budget);
  std::lock_guard lock(mutex_);
  if (satisfied()) return Step::finished();
  Morsel& morsel = waiting_[batch.morsel];
  morsel.ended = batch.ends_morsel;
  const bool has_enough = limit_ >= 0 && morsel.num_rows >= limit_ + offset_;
  morsel.num_rows += batch.num_rows;
  if (!has_enough && (batch.num_rows > 0 || !batch.errors.empty())) morsel.batches.push_back(std::move(batch));
  drain();
  return satisfied() ? Step::finished() : Step::needs_input();
}

void LimitSink::drain() {
  for (auto it = waiting_.begin(); it != waiting_.end() && it->first == next_morsel_; it = waiting_.begin()) {
    // A batch that `take` throws for stays: whoever comes next throws for it, too, and does not take later rows
    // instead.
    for (auto& batches = it->second.batches; !batches.empty(); batches.pop_front()) {
      take(batches.front());
      if (satisfied()) return waiting_.clear();
    }
    if (!it->second.ended) return;
    waiting_.erase(it);
    ++next_morsel_;
  }
}

void LimitSink::take(const Batch& batch) {
  const int64_t skip = std::min(offset_ - skipped_rows_, batch.num_rows);
  const int64_t wanted = limit_ < 0 ? batch.num_rows : limit_ - kept_rows_;
  const int64_t keep = std::min(batch.num_rows - skip, wanted);
  const int64_t last_row = skip + keep;
  const bool ends_here = keep == wanted && limit_ >= 0;
  // An error's row is the number of rows before it.
  if (!batch.errors.empty() && (!ends_here || batch.errors.front().row < last_row)) raise_first_error(batch);
  skipped_rows_ += skip;
  kept_rows_ += keep;
  if (keep == 0) return;
  Batch kept;
  kept.num_rows = keep;
  for (const auto& column : batch.columns) kept.columns.push_back(column->slice(skip, keep));
  result_->batches.push_back(std::move(kept));
}

void LimitSink::hand_on(const plan::Node& node, StageResults& results) {
  results.rows.emplace(&node, std::make_shared<BufferedStageRows>(result_));
}

}  // namespace accelerant::operators
