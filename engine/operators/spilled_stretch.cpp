#include "operators/spilled_stretch.h"

#include "columns/gather.h"
#include "operators/run_merge.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

using columns::Batch;
using columns::ColumnPtr;

bool is_spilled_row_before(const SpilledOrder& order, const SpilledBlock& lhs, int64_t lhs_row, size_t lhs_run,
                           const SpilledBlock& rhs, int64_t rhs_row, size_t rhs_run) {
  const int found = order.compare(lhs, lhs_row, rhs, rhs_row, order.keys().keys().size());
  if (found != 0) return found < 0;
  if (lhs.morsels[lhs_row] != rhs.morsels[rhs_row]) return lhs.morsels[lhs_row] < rhs.morsels[rhs_row];
  return lhs_run != rhs_run ? lhs_run < rhs_run : lhs_row < rhs_row;
}

int32_t OrderedRows::add_block(std::shared_ptr<const SpilledBlock> block) {
  blocks_.push_back(std::move(block));
  return static_cast<int32_t>(blocks_.size() - 1);
}

Batch OrderedRows::emit(const std::shared_ptr<memory::Budget>& budget, std::vector<int64_t>* morsels) {
  Batch batch;
  batch.num_rows = num_rows();
  const size_t num_columns = blocks_.empty() ? 0 : blocks_.front()->columns.size();
  for (size_t column = 0; column < num_columns; ++column) {
    std::vector<ColumnPtr> parts;
    for (const auto& block : blocks_) parts.push_back(block->columns[column]);
    ColumnPtr gathered = columns::gather_parts(parts, rows_, budget);
    // Else a batch would keep a block of each run.
    if (!gathered->heap().empty()) gathered = columns::copy_compact(*gathered, budget);
    batch.columns.push_back(std::move(gathered));
  }
  if (morsels) *morsels = morsels_;
  blocks_.clear();
  rows_.clear();
  morsels_.clear();
  return batch;
}

SpilledStretch::SpilledStretch(std::vector<SpilledSlice> slices, std::shared_ptr<const SpilledOrder> order)
    : slices_(std::move(slices)), order_(std::move(order)) {
  for (size_t slice = 0; slice < slices_.size(); ++slice) heap_.push_back({word_of(slices_[slice]), slice});
  std::ranges::make_heap(heap_, [this](const Next& lhs, const Next& rhs) { return is_before(rhs, lhs); });
}

int64_t SpilledStretch::num_rows() const {
  int64_t num_rows = 0;
  for (const SpilledSlice& slice : slices_) num_rows += slice.end - slice.begin;
  return num_rows;
}

bool SpilledStretch::is_tie_before(size_t lhs, size_t rhs) const {
  const SpilledSlice& left = slices_[lhs];
  const SpilledSlice& right = slices_[rhs];
  return is_spilled_row_before(*order_, *left.block, left.begin, left.run, *right.block, right.begin, right.run);
}

void SpilledStretch::sift_down() {
  for (size_t at = 0, child = 1; child < heap_.size(); at = child, child = 2 * at + 1) {
    if (child + 1 < heap_.size() && is_before(heap_[child + 1], heap_[child])) ++child;
    if (!is_before(heap_[child], heap_[at])) return;
    std::swap(heap_[at], heap_[child]);
  }
}

void SpilledStretch::take(int64_t most_rows, OrderedRows& rows, const execution::Cancellation& cancellation) {
  constexpr int32_t kNone = -1;
  std::vector<int32_t> blocks(slices_.size(), kNone);
  while (!heap_.empty() && rows.num_rows() < most_rows) {
    if (static_cast<size_t>(rows.num_rows()) % kRowsBetweenChecks == 0) cancellation.check();
    Next& first = heap_.front();
    SpilledSlice& slice = slices_[first.slice];
    int32_t& block = blocks[first.slice];
    if (block == kNone) block = rows.add_block(slice.block);
    rows.add(block, slice.begin++);
    if (slice.begin < slice.end) {
      first.word = word_of(slice);
    } else {
      slice.block.reset();
      first = heap_.back();
      heap_.pop_back();
    }
    sift_down();
  }
}

}  // namespace accelerant::operators
