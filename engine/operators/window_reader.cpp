#include "operators/window_reader.h"

#include "columns/batch_bytes.h"

#include <algorithm>
#include <utility>

namespace accelerant::operators {

using columns::Batch;
using columns::ColumnPtr;
using execution::EventPtr;

namespace {

/// Of the memory that is left, those who read take one part in so many.
constexpr int64_t kPartOfMemoryLeft = 2;

/// Leaves the last rows of some batches.
void keep_last(std::vector<Batch>& batches, int64_t count) {
  auto first = batches.end();
  for (; count > 0 && first != batches.begin(); count -= first->num_rows) --first;
  if (count < 0) *first = columns::slice(*first, -count, first->num_rows + count);
  batches.erase(batches.begin(), first);
}

}  // namespace

WindowReader::WindowReader(std::shared_ptr<const plan::Window> node, std::shared_ptr<const SpilledParts> parts,
                           int index, int count)
    : WindowReader(std::move(node), parts, parts->begin(index, count), parts->begin(index + 1, count), count) {}

WindowReader::WindowReader(std::shared_ptr<const plan::Window> node, std::shared_ptr<const SpilledParts> parts,
                           const SpilledPosition& begin, const SpilledPosition& end, int count)
    : node_(std::move(node)),
      reach_(*node_),
      parts_(std::move(parts)),
      computed_with_(columns_of_window(*node_)),
      num_rows_(SpilledParts::count_rows(begin, end)),
      batch_rows_(parts_->batch_rows()),
      num_readers_(count),
      stretches_(num_rows_, 0, num_rows_, batch_rows_, kMostWindowBatches),
      merge_(parts_->read(begin, end)) {}

EventPtr WindowReader::read(int64_t morsel, WindowPiece& piece) {
  const int64_t stretch_end = stretches_.first_row(morsel + 1);
  if (!end_) end_ = find_end(stretch_end);
  while (!end_) {
    if (EventPtr event = read_more()) return event;
    end_ = find_end(stretch_end);
  }
  if (end_->is_in_partition && !so_far_) so_far_ = std::make_shared<PartitionSoFar>(*node_);
  if (so_far_ && reach_.needs_totals && !has_totals_) {
    if (EventPtr event = read_totals()) return event;
  }
  piece = take(*end_, stretch_end);
  end_.reset();
  return nullptr;
}

EventPtr WindowReader::read_more() {
  Batch batch;
  if (EventPtr event = merge_.next(batch_rows_, batch, nullptr)) return event;
  if (no_rows_.empty()) {
    for (const ColumnPtr& column : batch.columns) no_rows_.push_back(column->slice(0, 0));
  }
  note_changes(batch);
  num_pending_ += batch.num_rows;
  pending_bytes_ += columns::memory_bytes(batch);
  for (const int column : computed_with_) computed_bytes_ += batch.columns[static_cast<size_t>(column)]->memory_bytes();
  pending_.push_back(std::move(batch));
  // Those that have the rows behind them now.
  const int64_t last = num_taken_ + num_pending_ - std::max<int64_t>(1, reach_.behind);
  for (; !orders_.empty() && orders_.front() <= last; orders_.pop_front()) last_order_ = orders_.front();
  if (!reach_.needs_peers) last_order_ = std::max(last_order_, last);
  return nullptr;
}

// There are pending rows between two reads, but at the beginning: what comes behind a piece is known when it is taken.
void WindowReader::note_changes(const Batch& batch) {
  if (node_->num_partition_keys == 0 && !reach_.needs_peers) return;
  const KeyOrder& order = parts_->order();
  const int64_t first = num_taken_ + num_pending_;
  if (!pending_.empty()) {
    const Batch& last = pending_.back();
    size_t num_equal = 0;
    while (num_equal < order.keys().size() &&
           order.compare_key(num_equal, last.columns, last.num_rows - 1, batch.columns, 0) == 0) {
      ++num_equal;
    }
    note_change(first, num_equal);
  }
  std::vector<int32_t> num_equal(static_cast<size_t>(batch.num_rows));
  order.count_equal(batch.columns, 0, num_equal);
  for (int64_t row = 1; row < batch.num_rows; ++row) {
    note_change(first + row, static_cast<size_t>(num_equal[static_cast<size_t>(row)]));
  }
}

void WindowReader::note_change(int64_t row, size_t num_equal) {
  if (num_equal < node_->num_partition_keys) partitions_.push_back(row);
  if (reach_.needs_peers && num_equal < reach_.num_keys) orders_.push_back(row);
}

bool WindowReader::is_too_much() const {
  int64_t held = pending_bytes_;
  for (const Batch& batch : before_) held += columns::memory_bytes(batch);
  const int64_t wanted =
      held + bytes_to_compute(*node_, num_pending_, reach_.has_near_rows ? 2 * computed_bytes_ : computed_bytes_);
  const int64_t workers = std::max<int64_t>(1, num_workers_.load(std::memory_order_relaxed));
  return wanted > (parts_->target().bytes_left() + held) / kPartOfMemoryLeft / workers / num_readers_;
}

std::optional<WindowReader::End> WindowReader::find_end(int64_t stretch_end) const {
  if (so_far_) {
    if (!partitions_.empty()) return End{partitions_.front() - num_taken_, false};
  } else {
    if (num_taken_ >= stretch_end) return End{0, false};
    const auto next = std::ranges::lower_bound(partitions_, stretch_end);
    if (next != partitions_.end()) return End{*next - num_taken_, false};
  }
  if (are_all_read()) return End{num_pending_, false};
  if (num_pending_ == 0 || !is_too_much()) return std::nullopt;
  if (!so_far_ && !partitions_.empty()) return End{partitions_.back() - num_taken_, false};
  return end_in_partition();
}

// A piece is no smaller than what has to be beside it.
std::optional<WindowReader::End> WindowReader::end_in_partition() const {
  const int64_t count = last_order_ - num_taken_;
  if (!reach_.can_stream || count <= 0 || count < std::max(reach_.before, reach_.behind)) return std::nullopt;
  return End{count, true};
}

EventPtr WindowReader::read_totals() {
  if (!totals_) {
    totals_.emplace(merge_.fork());
    of_totals_ = pending_;
    are_totals_read_ = false;
  }
  while (true) {
    for (; !of_totals_.empty(); of_totals_.pop_front()) {
      so_far_->add_to_totals(*node_, of_totals_.front(), parts_->context());
    }
    if (are_totals_read_) break;
    Batch batch;
    if (EventPtr event = totals_->next(batch_rows_, batch, nullptr)) return event;
    const int64_t count = count_of_partition(batch);
    if (count > 0) of_totals_.push_back(columns::slice(batch, 0, count));
    are_totals_read_ = count == 0 || count < batch.num_rows;
  }
  totals_.reset();
  try {
    so_far_->complete_totals();
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

WindowPiece WindowReader::take(End end, int64_t stretch_end) {
  WindowPiece piece;
  piece.rows = rows(0, end.count);
  piece.so_far = so_far_;
  piece.before = before_;
  if (end.is_in_partition) {
    piece.behind = rows(end.count, reach_.behind);
    before_.insert(before_.end(), piece.rows.begin(), piece.rows.end());
    keep_last(before_, reach_.before);
  }
  drop(end.count);
  if (!end.is_in_partition) {
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
    if (length > 0) found.push_back(length == batch.num_rows ? batch : columns::slice(batch, first, length));
    count -= std::max<int64_t>(length, 0);
    first = std::max<int64_t>(0, first - batch.num_rows);
  }
  return found;
}

// What is left of a batch keeps all of it.
void WindowReader::drop(int64_t count) {
  num_taken_ += count;
  num_pending_ -= count;
  while (count > 0 && pending_.front().num_rows <= count) {
    count -= pending_.front().num_rows;
    pending_bytes_ -= columns::memory_bytes(pending_.front());
    for (const int column : computed_with_) {
      computed_bytes_ -= pending_.front().columns[static_cast<size_t>(column)]->memory_bytes();
    }
    pending_.pop_front();
  }
  if (count > 0) pending_.front() = columns::slice(pending_.front(), count, pending_.front().num_rows - count);
  while (!partitions_.empty() && partitions_.front() <= num_taken_) partitions_.pop_front();
}

}  // namespace accelerant::operators
