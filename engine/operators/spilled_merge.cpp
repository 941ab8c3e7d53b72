#include "operators/spilled_merge.h"

#include "base/error.h"
#include "columns/gather.h"
#include "operators/run_merge.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

using columns::Batch;
using columns::ColumnPtr;
using execution::EventPtr;

SpilledMerge::SpilledMerge(SpilledRuns runs, SpilledPosition begin, SpilledPosition end,
                           std::shared_ptr<const KeyOrder> order, const execution::OperatorContext& ctx,
                           spill::SpillTarget& target)
    : order_(std::move(order)), ctx_(ctx), target_(target) {
  for (size_t run = 0; run < runs.size(); ++run) {
    if (begin[run] == end[run]) continue;
    missing_.push_back(cursors_.size());
    bytes_for_ahead_ = std::max(bytes_for_ahead_, 2 * runs[run]->largest_block());
    cursors_.push_back({.run = std::move(runs[run]), .next_row = begin[run], .end_row = end[run]});
  }
  bytes_for_ahead_ *= static_cast<int64_t>(cursors_.size() + 1);
}

bool SpilledMerge::is_tie_before(size_t lhs, size_t rhs) const {
  const Cursor& left = cursors_[lhs];
  const Cursor& right = cursors_[rhs];
  const int order = compare_spilled(*order_, *left.block, left.row, *right.block, right.row, order_->keys().size());
  if (order != 0) return order < 0;
  const int64_t morsel = left.block->morsels[left.row];
  const int64_t other = right.block->morsels[right.row];
  return morsel != other ? morsel < other : lhs < rhs;
}

void SpilledMerge::sift_down() {
  for (size_t at = 0, child = 1; child < heap_.size(); at = child, child = 2 * at + 1) {
    if (child + 1 < heap_.size() && is_before(heap_[child + 1], heap_[child])) ++child;
    if (!is_before(heap_[child], heap_[at])) return;
    std::swap(heap_[at], heap_[child]);
  }
}

void SpilledMerge::start_read(Cursor& cursor) {
  cursor.ahead = cursor.run->start_read(cursor.run->block_of(cursor.next_row), ctx_.budget, target_.threads);
}

// Without memory it is read when it is needed. Others are not asked for it, and find some after it.
void SpilledMerge::start_ahead(Cursor& cursor) {
  if (cursor.next_row == cursor.end_row) return;
  if (target_.bytes_left() < bytes_for_ahead_) return;
  try {
    start_read(cursor);
  } catch (const Error& error) {
    if (error.error_class() != memory::kOutOfBudget) throw;
  }
}

EventPtr SpilledMerge::load(Cursor& cursor) {
  if (cursor.block) return nullptr;
  if (!cursor.ahead) start_read(cursor);
  if (!cursor.ahead->done()->fired()) return cursor.ahead->done();
  SpilledBlock block = cursor.run->decode(cursor.ahead->take(), *order_, ctx_.budget);
  const SpilledRun::Block& place = cursor.run->blocks()[cursor.run->block_of(cursor.next_row)];
  cursor.row = cursor.next_row - place.first_row;
  cursor.end = std::min(place.num_rows, cursor.end_row - place.first_row);
  cursor.next_row = place.first_row + cursor.end;
  cursor.block = std::move(block);
  cursor.part = kNone;
  cursor.ahead.reset();
  start_ahead(cursor);
  return nullptr;
}

EventPtr SpilledMerge::load_missing() {
  for (const size_t cursor : missing_) {
    if (!cursors_[cursor].block && !cursors_[cursor].ahead) start_read(cursors_[cursor]);
  }
  while (!missing_.empty()) {
    if (EventPtr event = load(cursors_[missing_.back()])) return event;
    heap_.push_back({word_of(cursors_[missing_.back()]), missing_.back()});
    missing_.pop_back();
    std::ranges::push_heap(heap_, [this](const Next& lhs, const Next& rhs) { return is_before(rhs, lhs); });
  }
  return nullptr;
}

void SpilledMerge::take_first() {
  Cursor& cursor = cursors_[heap_.front().cursor];
  if (cursor.part == kNone) {
    cursor.part = static_cast<int32_t>(parts_.size());
    parts_.push_back(*cursor.block);
  }
  rows_.push_back({cursor.part, static_cast<int32_t>(cursor.row)});
  morsels_.push_back(cursor.block->morsels[cursor.row]);
  if (++cursor.row == cursor.end) {
    cursor.block.reset();
    if (cursor.next_row < cursor.end_row) missing_.push_back(heap_.front().cursor);
    heap_.front() = heap_.back();
    heap_.pop_back();
  } else {
    heap_.front().word = word_of(cursor);
  }
  sift_down();
}

void SpilledMerge::emit(Batch& out) {
  Batch batch;
  batch.num_rows = static_cast<int64_t>(rows_.size());
  const size_t num_columns = parts_.empty() ? 0 : parts_.front().columns.size();
  for (size_t column = 0; column < num_columns; ++column) {
    std::vector<ColumnPtr> parts;
    for (const SpilledBlock& block : parts_) parts.push_back(block.columns[column]);
    ColumnPtr gathered = columns::gather_parts(parts, rows_, ctx_.budget);
    // Else a batch would keep a block of each run.
    if (!gathered->heap().empty()) gathered = columns::copy_compact(*gathered, ctx_.budget);
    batch.columns.push_back(std::move(gathered));
  }
  out = std::move(batch);
}

EventPtr SpilledMerge::next(int64_t most_rows, Batch& out, std::vector<int64_t>* morsels) {
  while (static_cast<int64_t>(rows_.size()) < most_rows) {
    if (rows_.size() % kRowsBetweenChecks == 0) ctx_.cancellation->check();
    if (EventPtr event = load_missing()) return event;
    if (heap_.empty()) break;
    take_first();
  }
  emit(out);
  if (morsels) *morsels = morsels_;
  parts_.clear();
  rows_.clear();
  morsels_.clear();
  for (Cursor& cursor : cursors_) cursor.part = kNone;
  return nullptr;
}

SpilledMerge SpilledMerge::fork() const {
  SpilledMerge copy = *this;
  for (Cursor& cursor : copy.cursors_) cursor.ahead.reset();
  return copy;
}

void SpilledMerge::read(int64_t most_rows, Batch& out, std::vector<int64_t>* morsels) {
  while (const EventPtr event = next(most_rows, out, morsels)) spill::wait_for(event);
}

namespace {

/// Finds rows of runs by their keys.
class Search {
 public:
  /// @param num_keys the first keys, by which rows are found
  Search(const SpilledRuns& runs, const KeyOrder& order, size_t num_keys, const execution::OperatorContext& ctx,
         spill::IoThreads& threads)
      : runs_(runs), order_(order), num_keys_(num_keys), ctx_(ctx), threads_(threads), loaded_(runs.size()) {}

  /// Returns how many rows of each run have no greater keys than the row of a rank.
  SpilledPosition behind(int64_t rank) {
    SpilledPosition low(runs_.size());
    SpilledPosition high(runs_.size());
    for (size_t run = 0; run < runs_.size(); ++run) high[run] = runs_[run]->num_rows();
    while (true) {
      ctx_.cancellation->check();
      const size_t widest = widest_of(low, high);
      const int64_t row = low[widest] + (high[widest] - low[widest]) / 2;
      const size_t block = runs_[widest]->block_of(row);
      const SpilledBlock pivot = load(widest, block);
      const int64_t pivot_row = row - runs_[widest]->blocks()[block].first_row;
      const SpilledPosition before = count(pivot, pivot_row, false);
      if (rank < sum(before)) {
        for (size_t run = 0; run < runs_.size(); ++run) high[run] = std::min(high[run], before[run]);
        continue;
      }
      SpilledPosition not_behind = count(pivot, pivot_row, true);
      if (rank < sum(not_behind)) return not_behind;
      for (size_t run = 0; run < runs_.size(); ++run) low[run] = std::max(low[run], not_behind[run]);
    }
  }

 private:
  static int64_t sum(const SpilledPosition& position) {
    int64_t sum = 0;
    for (const int64_t rows : position) sum += rows;
    return sum;
  }

  static size_t widest_of(const SpilledPosition& low, const SpilledPosition& high) {
    size_t widest = 0;
    for (size_t run = 1; run < low.size(); ++run) {
      if (high[run] - low[run] > high[widest] - low[widest]) widest = run;
    }
    return widest;
  }

  const SpilledBlock& load(size_t run, size_t block) {
    Loaded& loaded = loaded_[run];
    if (!loaded.rows || loaded.block != block) {
      loaded.rows.reset();
      const auto read = runs_[run]->start_read(block, ctx_.budget, threads_);
      spill::wait_for(read->done());
      loaded = {block, runs_[run]->decode(read->take(), order_, ctx_.budget)};
    }
    return *loaded.rows;
  }

  /// Counts the first rows that come before a row by their keys, or, with `or_same`, not behind it.
  int64_t count_of(const SpilledBlock& rows, const SpilledBlock& pivot, int64_t pivot_row, bool or_same) const {
    int64_t low = 0;
    for (int64_t high = rows.num_rows; low < high;) {
      const int64_t middle = low + (high - low) / 2;
      if (compare_spilled(order_, rows, middle, pivot, pivot_row, num_keys_) < static_cast<int>(or_same)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  SpilledPosition count(const SpilledBlock& pivot, int64_t pivot_row, bool or_same) {
    SpilledPosition counts;
    for (size_t run = 0; run < runs_.size(); ++run) {
      const int64_t num_blocks = count_of(runs_[run]->first_rows(), pivot, pivot_row, or_same);
      if (num_blocks == 0) {
        counts.push_back(0);
        continue;
      }
      const auto block = static_cast<size_t>(num_blocks) - 1;
      counts.push_back(runs_[run]->blocks()[block].first_row + count_of(load(run, block), pivot, pivot_row, or_same));
    }
    return counts;
  }

  struct Loaded {
    size_t block = 0;
    std::optional<SpilledBlock> rows = {};
  };

  const SpilledRuns& runs_;
  const KeyOrder& order_;
  const size_t num_keys_;
  const execution::OperatorContext& ctx_;
  spill::IoThreads& threads_;
  std::vector<Loaded> loaded_;  ///< the last block of each run
};

}  // namespace

SpilledPosition spilled_part_begin(const SpilledRuns& runs, int index, int count, const KeyOrder& order,
                                   size_t num_keys, const execution::OperatorContext& ctx, spill::IoThreads& threads) {
  int64_t num_rows = 0;
  SpilledPosition position(runs.size());
  for (const SpilledRunPtr& run : runs) num_rows += run->num_rows();
  if (index == count) {
    for (size_t run = 0; run < runs.size(); ++run) position[run] = runs[run]->num_rows();
    return position;
  }
  const int64_t rank = num_rows / count * index + num_rows % count * index / count;
  return rank == 0 ? position : Search(runs, order, num_keys, ctx, threads).behind(rank - 1);
}

}  // namespace accelerant::operators
