#include "operators/spilled_merge.h"

#include "base/error.h"
#include "memory/memory_wait.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

using columns::Batch;
using execution::EventPtr;

namespace {

/// Batches of rows that are merged before it is looked for more, at most.
constexpr int64_t kBatchesOfStretch = 8;

}  // namespace

SpilledMerge::SpilledMerge(const SpilledRuns& runs, const SpilledPosition& begin, const SpilledPosition& end,
                           std::shared_ptr<const SpilledOrder> order, const execution::OperatorContext& ctx,
                           spill::SpillTarget& target)
    : order_(std::move(order)), ctx_(ctx), target_(target) {
  for (size_t run = 0; run < runs.size(); ++run) {
    if (begin[run] == end[run]) continue;
    bytes_for_ahead_ = std::max(bytes_for_ahead_, 2 * runs[run]->largest_block());
    cursors_.push_back({.run = runs[run], .number = run, .next_row = begin[run], .end_row = end[run]});
  }
  bytes_for_ahead_ *= static_cast<int64_t>(cursors_.size() + 1);
}

void SpilledMerge::start_read(Cursor& cursor) {
  cursor.ahead = cursor.run->start_read(cursor.run->block_of(cursor.next_row), ctx_.budget, target_.threads);
}

// Without memory it is read when it is needed. Others are not asked for it, and find some after it.
void SpilledMerge::start_ahead(Cursor& cursor) {
  if (!cursor.has_more_blocks()) return;
  if (!has_room()) return;
  try {
    const memory::WithoutWaiting at_once;
    start_read(cursor);
  } catch (const Error& error) {
    if (error.error_class() != memory::kOutOfBudget) throw;
  }
}

// The memory of a block that is on its way comes back without anybody's doing.
EventPtr SpilledMerge::start_or_wait(Cursor& cursor) {
  try {
    start_read(cursor);
    return nullptr;
  } catch (const memory::MemoryWait&) {
    for (const Cursor& other : cursors_) {
      if (other.ahead && !other.ahead->done()->fired()) return other.ahead->done();
    }
    throw;
  }
}

EventPtr SpilledMerge::load(Cursor& cursor) {
  if (cursor.block) return nullptr;
  if (!cursor.ahead) {
    if (EventPtr event = start_or_wait(cursor)) return event;
  }
  if (!cursor.ahead->done()->fired()) return cursor.ahead->done();
  auto block = std::make_shared<const SpilledBlock>(cursor.run->decode(cursor.ahead->get(), *order_, ctx_.budget));
  const SpilledRun::Block& place = cursor.run->blocks()[cursor.run->block_of(cursor.next_row)];
  cursor.row = cursor.next_row - place.first_row;
  cursor.end = std::min(place.num_rows, cursor.end_row - place.first_row);
  cursor.next_row = place.first_row + cursor.end;
  cursor.block = std::move(block);
  cursor.ahead.reset();
  start_ahead(cursor);
  return nullptr;
}

EventPtr SpilledMerge::load_missing() {
  for (Cursor& cursor : cursors_) {
    if (cursor.block || cursor.ahead) continue;
    if (EventPtr event = start_or_wait(cursor)) return event;
  }
  for (Cursor& cursor : cursors_) {
    if (EventPtr event = load(cursor)) return event;
  }
  return nullptr;
}

bool SpilledMerge::is_before(const Cursor& lhs, int64_t lhs_row, const Cursor& rhs, int64_t rhs_row) const {
  return is_spilled_row_before(*order_, *lhs.block, lhs_row, lhs.number, *rhs.block, rhs_row, rhs.number);
}

std::vector<int64_t> SpilledMerge::ends_behind(const Cursor& pivot, int64_t pivot_row,
                                               const std::vector<int64_t>& begins,
                                               const std::vector<int64_t>& ends) const {
  std::vector<int64_t> found;
  for (size_t i = 0; i < cursors_.size(); ++i) {
    int64_t low = begins[i];
    for (int64_t high = ends[i]; low < high;) {
      const int64_t middle = low + (high - low) / 2;
      if (is_before(pivot, pivot_row, cursors_[i], middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    found.push_back(low);
  }
  return found;
}

std::vector<int64_t> SpilledMerge::safe_ends() const {
  std::vector<int64_t> begins;
  std::vector<int64_t> ends;
  const Cursor* least = nullptr;  // whose last row comes first, of those that go on behind it
  for (const Cursor& cursor : cursors_) {
    begins.push_back(cursor.row);
    ends.push_back(cursor.end);
    if (!cursor.has_more_blocks()) continue;
    if (!least || is_before(cursor, cursor.end - 1, *least, least->end - 1)) least = &cursor;
  }
  return least ? ends_behind(*least, least->end - 1, begins, ends) : ends;
}

// The middle one of those that the widest block has in question tells for all blocks on which side it lies.
std::vector<int64_t> SpilledMerge::ends_of_first(int64_t count, std::vector<int64_t> ends) const {
  std::vector<int64_t> begins;
  int64_t num_before = 0;  // rows before `begins`, which are among the first
  int64_t num_rows = 0;    // rows before `ends`
  for (size_t i = 0; i < cursors_.size(); ++i) {
    begins.push_back(cursors_[i].row);
    num_rows += ends[i] - begins[i];
  }
  while (num_rows > count) {
    size_t widest = 0;
    for (size_t i = 1; i < cursors_.size(); ++i) {
      if (ends[i] - begins[i] > ends[widest] - begins[widest]) widest = i;
    }
    const int64_t pivot = begins[widest] + (ends[widest] - begins[widest]) / 2;
    std::vector<int64_t> found = ends_behind(cursors_[widest], pivot, begins, ends);
    int64_t num_found = num_before;
    for (size_t i = 0; i < cursors_.size(); ++i) num_found += found[i] - begins[i];
    if (num_found <= count) {
      num_before = num_found;
      begins = std::move(found);
      if (num_before == count) return begins;
      continue;
    }
    // The pivot is not among the first either.
    if (found[widest] == pivot + 1) --found[widest];
    num_rows = num_before;
    for (size_t i = 0; i < cursors_.size(); ++i) num_rows += found[i] - begins[i];
    ends = std::move(found);
  }
  return ends;
}

EventPtr SpilledMerge::next_stretch(int64_t most_rows, SpilledStretch& out) {
  ctx_.cancellation->check();
  if (EventPtr event = load_missing()) return event;
  const std::vector<int64_t> ends = ends_of_first(most_rows, safe_ends());
  std::vector<SpilledSlice> slices;
  for (size_t i = 0; i < cursors_.size(); ++i) {
    Cursor& cursor = cursors_[i];
    if (ends[i] > cursor.row) slices.push_back({cursor.block, cursor.number, cursor.row, ends[i]});
    cursor.row = ends[i];
    if (cursor.row == cursor.end) cursor.block.reset();
  }
  std::erase_if(cursors_, [](const Cursor& cursor) { return !cursor.block && !cursor.has_more_blocks(); });
  out = SpilledStretch(std::move(slices), order_);
  return nullptr;
}

EventPtr SpilledMerge::next(int64_t most_rows, Batch& out, std::vector<int64_t>* morsels) {
  while (true) {
    stretch_.take(most_rows, rows_, *ctx_.cancellation);
    if (rows_.num_rows() >= most_rows || cursors_.empty()) break;
    // More than are wanted now: where they end takes a while to find out.
    if (EventPtr event = next_stretch(kBatchesOfStretch * most_rows, stretch_)) return event;
  }
  out = rows_.emit(ctx_.budget, morsels);
  return nullptr;
}

SpilledMerge SpilledMerge::fork() const {
  SpilledMerge copy = *this;
  for (Cursor& cursor : copy.cursors_) cursor.ahead.reset();
  return copy;
}

void SpilledMerge::read(int64_t most_rows, Batch& out, std::vector<int64_t>* morsels) {
  while (const EventPtr event = next(most_rows, out, morsels)) execution::wait_for(event);
}

namespace {

/// Finds rows of runs by their keys.
class Search {
 public:
  /// @param num_keys the first keys, by which rows are found
  Search(const SpilledRuns& runs, const SpilledOrder& order, size_t num_keys, const execution::OperatorContext& ctx,
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
      execution::wait_for(read->done());
      loaded = {block, runs_[run]->decode(read->get(), order_, ctx_.budget)};
    }
    return *loaded.rows;
  }

  /// Counts the first rows that come before a row by their keys, or, with `or_same`, not behind it.
  int64_t count_of(const SpilledBlock& rows, const SpilledBlock& pivot, int64_t pivot_row, bool or_same) const {
    int64_t low = 0;
    for (int64_t high = rows.num_rows; low < high;) {
      const int64_t middle = low + (high - low) / 2;
      if (order_.compare(rows, middle, pivot, pivot_row, num_keys_) < static_cast<int>(or_same)) {
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
  const SpilledOrder& order_;
  const size_t num_keys_;
  const execution::OperatorContext& ctx_;
  spill::IoThreads& threads_;
  std::vector<Loaded> loaded_;  ///< the last block of each run
};

}  // namespace

SpilledPosition spilled_part_begin(const SpilledRuns& runs, int index, int count, const SpilledOrder& order,
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
