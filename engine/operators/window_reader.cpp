#include "operators/window_reader.h"

#include <algorithm>
#include <span>
#include <utility>

namespace accelerant::operators {

using columns::Batch;
using columns::ColumnPtr;
using execution::EventPtr;

namespace {

/// Of the memory that is left, a worker's pieces take one part in so many.
constexpr int64_t kPartOfMemoryLeft = 2;

Batch sliced(const Batch& batch, int64_t first, int64_t length) {
  Batch slice;
  slice.num_rows = length;
  for (const ColumnPtr& column : batch.columns) slice.columns.push_back(column->slice(first, length));
  return slice;
}

int64_t bytes_of_rows(const Batch& batch) {
  int64_t bytes = 0;
  for (const ColumnPtr& column : batch.columns) bytes += column->memory_bytes();
  return bytes;
}

/// Leaves the last rows of some batches.
void keep_last(std::vector<Batch>& batches, int64_t count) {
  auto first = batches.end();
  for (; count > 0 && first != batches.begin(); count -= first->num_rows) --first;
  if (count < 0) *first = sliced(*first, -count, first->num_rows + count);
  batches.erase(batches.begin(), first);
}

}  // namespace

WindowReader::WindowReader(std::shared_ptr<const plan::Window> node, std::shared_ptr<const SpilledParts> parts,
                           const SpilledPosition& begin, const SpilledPosition& end)
    : node_(std::move(node)),
      reach_(*node_),
      parts_(std::move(parts)),
      num_rows_(SpilledParts::count_rows(begin, end)),
      batch_rows_(parts_->batch_rows()),
      stretches_(num_rows_, 0, num_rows_, batch_rows_, kMostWindowBatches),
      merge_(parts_->read(begin, end)) {}

EventPtr WindowReader::read(int64_t morsel, WindowPiece& piece) {
  const int64_t stretch_end = stretches_.first_row(morsel + 1);
  std::optional<int64_t> end;
  for (end = end_of_piece(stretch_end); !end; end = end_of_piece(stretch_end)) {
    if (EventPtr event = read_more()) return event;
  }
  if (so_far_ && reach_.needs_totals && !has_totals_) {
    if (EventPtr event = read_totals()) return event;
  }
  piece = take(*end, stretch_end);
  return nullptr;
}

EventPtr WindowReader::read_more() {
  Batch batch;
  if (EventPtr event = merge_.next(batch_rows_, batch, nullptr)) return event;
  if (no_rows_.empty()) {
    for (const ColumnPtr& column : batch.columns) no_rows_.push_back(column->slice(0, 0));
  }
  find_partitions(batch);
  num_pending_ += batch.num_rows;
  pending_.push_back(std::move(batch));
  return nullptr;
}

// There are always pending rows between two reads: what comes behind a piece is known when it is taken.
void WindowReader::find_partitions(const Batch& batch) {
  const size_t num_keys = node_->num_partition_keys;
  if (num_keys == 0) return;
  const int64_t first = num_taken_ + num_pending_;
  if (!pending_.empty()) {
    const Batch& last = pending_.back();
    if (parts_->order().compare(last.columns, last.num_rows - 1, batch.columns, 0, 0, num_keys) != 0) {
      partitions_.push_back(first);
    }
  }
  std::vector<int32_t> num_equal(static_cast<size_t>(batch.num_rows));
  parts_->order().count_equal(batch.columns, 0, num_equal);
  for (int64_t row = 1; row < batch.num_rows; ++row) {
    if (static_cast<size_t>(num_equal[static_cast<size_t>(row)]) < num_keys) partitions_.push_back(first + row);
  }
}

bool WindowReader::is_too_much() const {
  int64_t held = 0;
  for (const Batch& batch : pending_) held += bytes_of_rows(batch);
  const int64_t wanted = held + bytes_to_compute(*node_, num_pending_, reach_.has_near_rows ? 2 * held : held);
  const int64_t workers = std::max<int64_t>(1, num_workers_.load(std::memory_order_relaxed));
  return wanted > (parts_->target().bytes_left() + held) / kPartOfMemoryLeft / workers;
}

std::optional<int64_t> WindowReader::end_of_piece(int64_t stretch_end) {
  if (so_far_) {
    if (!partitions_.empty()) return partitions_.front() - num_taken_;
  } else {
    const auto next = std::ranges::lower_bound(partitions_, stretch_end);
    if (num_taken_ >= stretch_end) return 0;
    if (next != partitions_.end()) return *next - num_taken_;
  }
  if (are_all_read()) return num_pending_;
  if (num_pending_ == 0 || !is_too_much()) return std::nullopt;
  if (!so_far_ && !partitions_.empty()) return partitions_.back() - num_taken_;
  return reach_.can_stream ? end_of_part_of_partition() : std::nullopt;
}

// What was looked at before, and was no end, is none now.
std::optional<int64_t> WindowReader::end_of_part_of_partition() {
  const int64_t last = num_taken_ + num_pending_ - std::max<int64_t>(1, reach_.behind);
  const int64_t first = std::max(num_same_, num_taken_);
  for (int64_t row = last; row > first; --row) {
    if (reach_.needs_peers && !is_order_change(row - num_taken_)) continue;
    if (!so_far_) so_far_ = std::make_shared<PartitionSoFar>(*node_);
    return row - num_taken_;
  }
  num_same_ = std::max(first, last);
  return std::nullopt;
}

bool WindowReader::is_order_change(int64_t row) const {
  const Batch* before = nullptr;
  for (const Batch& batch : pending_) {
    if (row < batch.num_rows) {
      const Batch& other = row > 0 ? batch : *before;
      const int64_t other_row = row > 0 ? row - 1 : before->num_rows - 1;
      return parts_->order().compare(other.columns, other_row, batch.columns, row, 0, reach_.num_keys) != 0;
    }
    row -= batch.num_rows;
    before = &batch;
  }
  return false;
}

EventPtr WindowReader::read_totals() {
  if (!totals_) {
    totals_.emplace(merge_.fork());
    of_totals_ = pending_;
    are_totals_read_ = false;
  }
  while (true) {
    for (; !of_totals_.empty(); of_totals_.pop_front()) {
      so_far_->add(*node_, of_totals_.front(), parts_->context());
    }
    if (are_totals_read_) break;
    Batch batch;
    if (EventPtr event = totals_->next(batch_rows_, batch, nullptr)) return event;
    const int64_t count = count_of_partition(batch);
    if (count > 0) of_totals_.push_back(sliced(batch, 0, count));
    are_totals_read_ = count == 0 || count < batch.num_rows;
  }
  totals_.reset();
  try {
    so_far_->complete();
  } catch (...) {
    so_far_ = std::make_shared<PartitionSoFar>(*node_);
    throw;
  }
  has_totals_ = true;
  return nullptr;
}

int64_t WindowReader::count_of_partition(const Batch& batch) const {
  const Batch& of = pending_.front();
  int64_t low = 0;
  for (int64_t high = batch.num_rows; low < high;) {
    const int64_t row = low + (high - low) / 2;
    if (parts_->order().compare(of.columns, 0, batch.columns, row, 0, node_->num_partition_keys) == 0) {
      low = row + 1;
    } else {
      high = row;
    }
  }
  return low;
}

WindowPiece WindowReader::take(int64_t count, int64_t stretch_end) {
  WindowPiece piece;
  piece.rows = rows(0, count);
  piece.so_far = so_far_;
  const int64_t end = num_taken_ + count;
  const bool ends_partition = end == num_rows_ || (!partitions_.empty() && partitions_.front() <= end);
  if (so_far_) {
    piece.before = before_;
    if (!ends_partition) {
      const int64_t partition_end = partitions_.empty() ? num_taken_ + num_pending_ : partitions_.front();
      piece.behind = rows(count, std::min(reach_.behind, partition_end - end));
      before_.insert(before_.end(), piece.rows.begin(), piece.rows.end());
      keep_last(before_, reach_.before);
    }
  }
  drop(count);
  if (so_far_ && ends_partition) {
    so_far_.reset();
    before_.clear();
    has_totals_ = false;
  }
  piece.ends_morsel = !so_far_ && (num_taken_ >= stretch_end || num_taken_ == num_rows_);
  return piece;
}

std::vector<Batch> WindowReader::rows(int64_t first, int64_t count) const {
  std::vector<Batch> found;
  for (const Batch& batch : pending_) {
    const int64_t length = std::min(batch.num_rows - first, count);
    if (length > 0) found.push_back(length == batch.num_rows ? batch : sliced(batch, first, length));
    count -= std::max<int64_t>(length, 0);
    first = std::max<int64_t>(0, first - batch.num_rows);
  }
  return found;
}

void WindowReader::drop(int64_t count) {
  num_taken_ += count;
  num_pending_ -= count;
  while (count > 0 && pending_.front().num_rows <= count) {
    count -= pending_.front().num_rows;
    pending_.pop_front();
  }
  if (count > 0) pending_.front() = sliced(pending_.front(), count, pending_.front().num_rows - count);
  while (!partitions_.empty() && partitions_.front() <= num_taken_) partitions_.pop_front();
}

}  // namespace accelerant::operators
