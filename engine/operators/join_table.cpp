#include "operators/join_table.h"

#include "base/error.h"
#include "columns/gather.h"

#include <algorithm>
#include <array>
#include <utility>

namespace accelerant::operators {

using columns::Column;
using columns::ColumnPtr;

namespace {

/// A range of places that is worth a worker's while.
constexpr int64_t kMinRowsPerRange = 64 * 1024;
constexpr int64_t kLinkedAtOnce = 256;
/// Places that are filled between two looks at the cancellation.
constexpr uint64_t kFilledAtOnce = 1 << 16;
/// Rows that the last task links between two such looks.
constexpr int64_t kLeftOverAtOnce = 1 << 16;

}  // namespace

JoinTable::JoinTable(std::vector<Chunk> chunks, bool marks_matches, ChainOrder order, int num_workers,
                     const execution::OperatorContext& ctx)
    : budget_(ctx.budget),
      cancellation_(*ctx.cancellation),
      chunks_(std::move(chunks)),
      order_(order),
      marks_matches_(marks_matches) {
  for (const Chunk& chunk : chunks_) num_rows_ += chunk.num_rows;
  if (num_rows_ > kMostRows) {
    throw Error(ErrorKind::Unsupported, "Join holds at most 2,147,483,647 rows of one side");
  }
  if (!chunks_.empty()) columns_.resize(chunks_.front().columns.size());
  num_ranges_ = std::clamp<int64_t>(num_rows_ / kMinRowsPerRange, 1, num_workers);
  finish_tasks_left_ = num_finish_tasks();
  choose_places();
}

// Where keys are places, as many of these take no more than buckets.
int64_t JoinTable::bytes_of(int64_t num_rows, int num_words, bool marks_matches) {
  constexpr auto kLink = static_cast<int64_t>(sizeof(int32_t));
  constexpr auto kBucket = static_cast<int64_t>(sizeof(Bucket));
  static_assert(static_cast<int64_t>(kMaxPlacesPerRow) * kLink <= kBucket / kKeysPerBucket);
  const size_t of_key = num_words == 2 ? 2 * sizeof(uint64_t) : num_words == 0 ? sizeof(std::string_view) : 0;
  return num_buckets(num_rows) * kBucket + num_rows * (static_cast<int64_t>(of_key) + kLink + int64_t{marks_matches}) +
         4 * memory::Buffer::capacity_for(0);
}

void JoinTable::choose_places() {
  last_place_ = static_cast<uint64_t>(num_buckets(num_rows_)) - 1;
  if (chunks_.empty() || chunks_.front().keys->num_words() != 1) return;
  KeyBounds bounds;
  for (const Chunk& chunk : chunks_) bounds.add(chunk.bounds);
  if (bounds.is_empty() || bounds.greatest - bounds.least >= kMaxPlacesPerRow * static_cast<uint64_t>(num_rows_))
    return;
  is_direct_ = true;
  least_key_ = bounds.least;
  last_place_ = bounds.greatest - bounds.least;
}

template <class T>
void JoinTable::allocate_array(T*& array, int64_t length) {
  if (array) return;
  buffers_.push_back(memory::Buffer::allocate(length * static_cast<int64_t>(sizeof(T)), budget_));
  array = buffers_.back()->mutable_as<T>();
}

void JoinTable::allocate() {
  const int num_words = chunks_.empty() ? 1 : chunks_.front().keys->num_words();
  const auto num_places = static_cast<int64_t>(last_place_ + 1);
  if (is_direct_) allocate_array(heads_, num_places);
  if (!is_direct_) allocate_array(buckets_, num_places);
  allocate_array(next_, num_rows_);
  if (num_words == 0) allocate_array(bytes_, num_rows_);
  if (num_words == 2) allocate_array(words_, num_rows_ * 2);
  if (!marks_matches_) return;
  allocate_array(matched_, num_rows_);
  std::fill_n(matched_, num_rows_, uint8_t{0});
}

void JoinTable::run_finish_task(int64_t task) {
  if (task < num_ranges_) {
    const uint64_t end = last_place_ + 1;
    const auto start_of = [&](int64_t range) {
      return end / static_cast<uint64_t>(num_ranges_) * static_cast<uint64_t>(range);
    };
    link(start_of(task), task + 1 == num_ranges_ ? end : start_of(task + 1));
  } else {
    put_together(static_cast<size_t>(task - num_ranges_));
  }
  if (finish_tasks_left_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  for (const int32_t row : left_over_) link_left_over(row);
  drop_chunks();
}

void JoinTable::put_together(size_t column) {
  std::vector<ColumnPtr> parts;
  for (const Chunk& chunk : chunks_) parts.push_back(chunk.columns[column]);
  columns_[column] = parts.front()->is_constant() ? Column::constant(parts.front()->child_values(), num_rows_)
                                                  : columns::concatenate(parts, budget_, &cancellation_);
  for (Chunk& chunk : chunks_) chunk.columns[column] = nullptr;
}

// A row is put before the others of its chain, so that rows are taken in the reverse of the order in which chains are
// followed. Rows of other ranges are left out without a branch, as nothing foretells them. A key whose search comes to
// the end of its range is left to the last task, with all its rows: no two tasks write to one slot.
void JoinTable::link(uint64_t first_place, uint64_t end_place) {
  for (uint64_t place = first_place; place < end_place; place += kFilledAtOnce) {
    cancellation_.check();
    const uint64_t end = std::min(place + kFilledAtOnce, end_place);
    if (heads_) std::fill(heads_ + place, heads_ + end, kEnd);
    if (buckets_) std::fill(buckets_ + place, buckets_ + end, Bucket{{}, {kEnd, kEnd, kEnd, kEnd, kEnd}, 0});
  }
  int32_t left_over = kEnd;
  if (order_ == ChainOrder::LastRowFirst) {
    int64_t first_row = 0;
    for (const Chunk& chunk : chunks_) {
      link_chunk(chunk, first_row, first_place, end_place, left_over);
      first_row += chunk.num_rows;
    }
  } else {
    int64_t first_row = num_rows_;
    for (auto chunk = chunks_.rbegin(); chunk != chunks_.rend(); ++chunk) {
      first_row -= chunk->num_rows;
      link_chunk(*chunk, first_row, first_place, end_place, left_over);
    }
  }
  if (left_over == kEnd) return;
  const std::lock_guard lock(left_over_mutex_);
  left_over_.push_back(left_over);
}

void JoinTable::link_chunk(const Chunk& chunk, int64_t first_row, uint64_t first_place, uint64_t end_place,
                           int32_t& left_over) {
  cancellation_.check();
  const JoinKeys& keys = *chunk.keys;
  const bool reversed = order_ == ChainOrder::FirstRowFirst;
  std::array<int64_t, kLinkedAtOnce> rows;
  std::array<uint64_t, kLinkedAtOnce> hashes;
  std::array<uint64_t, kLinkedAtOnce> places;
  for (int64_t begin = 0; begin < chunk.num_rows; begin += kLinkedAtOnce) {
    size_t n = 0;
    for (int64_t k = begin; k < std::min(chunk.num_rows, begin + kLinkedAtOnce); ++k) {
      const int64_t i = reversed ? chunk.num_rows - 1 - k : k;
      rows[n] = i;
      hashes[n] = is_direct_ ? 0 : keys.hash(i);
      places[n] = is_direct_ ? *keys.words(i) - least_key_ : place_of(hashes[n]);
      n += places[n] - first_place < end_place - first_place && !keys.is_null(i);
    }
    if (is_direct_) {
      for (size_t k = 0; k < n; ++k) prefetch_line_to_write(heads_ + places[k]);
      for (size_t k = 0; k < n; ++k) put_first(heads_[places[k]], static_cast<int32_t>(first_row + rows[k]));
      continue;
    }
    for (size_t k = 0; k < n; ++k) prefetch_line_to_write(buckets_ + places[k]);
    for (size_t k = 0; k < n; ++k) {
      const auto row = static_cast<int32_t>(first_row + rows[k]);
      if (words_) std::copy_n(keys.words(rows[k]), 2, words_ + 2 * static_cast<int64_t>(row));
      if (bytes_) bytes_[row] = keys.bytes(rows[k]);
      if (!link_in(places[k], end_place, hashes[k], keys, rows[k], row)) next_[row] = std::exchange(left_over, row);
    }
  }
}

int32_t* JoinTable::find_in(Bucket& bucket, uint64_t hash, const JoinKeys& keys, int64_t row_of_key) const {
  for (size_t i = 0; i < Bucket::kKeys && bucket.rows[i] != kEnd; ++i) {
    if (bucket.hashes[i] == hash && has_key(bucket.rows[i], keys, row_of_key)) return &bucket.rows[i];
  }
  return nullptr;
}

int32_t JoinTable::first_by_hash(const JoinKeys& probe, int64_t probe_row) const {
  const uint64_t hash = probe.hash(probe_row);
  for (uint64_t place = place_of(hash);; place = place == last_place_ ? 0 : place + 1) {
    Bucket& bucket = buckets_[place];
    const int32_t row = bucket.row_of(hash);
    if (row != kEnd && has_key(row, probe, probe_row)) return row;
    // Two keys may have one hash.
    const int32_t* const other = row == kEnd ? nullptr : find_in(bucket, hash, probe, probe_row);
    if (other) return *other;
    if (!bucket.was_full) return kEnd;
  }
}

bool JoinTable::link_in(uint64_t place, uint64_t end_place, uint64_t hash, const JoinKeys& keys, int64_t row_of_key,
                        int32_t row) {
  for (; place < end_place; ++place) {
    Bucket& bucket = buckets_[place];
    if (int32_t* const head = find_in(bucket, hash, keys, row_of_key)) {
      put_first(*head, row);
      return true;
    }
    if (const auto free = std::ranges::find(bucket.rows, kEnd); free != bucket.rows.end()) {
      bucket.hashes[static_cast<size_t>(free - bucket.rows.begin())] = hash;
      put_first(*free, row);
      return true;
    }
    bucket.was_full = 1;
  }
  return false;
}

void JoinTable::put_first(int32_t& head, int32_t row) {
  if (head != kEnd && is_unique()) has_repeated_.store(true, std::memory_order_relaxed);
  next_[row] = head;
  head = row;
}

/// Links rows, each of which has a link to the one that was to be linked before it.
void JoinTable::link_left_over(int32_t last_row) {
  // The other way around, the first one is the first one to be linked.
  int32_t first = kEnd;
  for (int32_t row = last_row; row != kEnd;) {
    const int32_t before = std::exchange(next_[row], first);
    first = std::exchange(row, before);
  }
  std::vector<int64_t> ends;
  for (const Chunk& chunk : chunks_) ends.push_back((ends.empty() ? 0 : ends.back()) + chunk.num_rows);
  for (int64_t n = 0; first != kEnd; ++n) {
    if (n % kLeftOverAtOnce == 0) cancellation_.check();
    const int32_t row = std::exchange(first, next_[first]);
    const auto chunk = static_cast<size_t>(std::ranges::upper_bound(ends, row) - ends.begin());
    const int64_t row_of_chunk = row - (ends[chunk] - chunks_[chunk].num_rows);
    const JoinKeys& keys = *chunks_[chunk].keys;
    const uint64_t hash = keys.hash(row_of_chunk);
    if (!link_in(place_of(hash), last_place_ + 1, hash, keys, row_of_chunk, row)) {
      link_in(0, last_place_ + 1, hash, keys, row_of_chunk, row);
    }
  }
}

/// Keeps the keys' bytes, which the table's own point into.
void JoinTable::drop_chunks() {
  if (bytes_) {
    for (Chunk& chunk : chunks_) keys_.push_back(std::move(chunk.keys));
  }
  chunks_.clear();
}

int32_t JoinTable::find_unmarked_from(int32_t row, int64_t& steps) {
  for (; row != kEnd && steps > 0 && is_marked(row); --steps) row = pass_on(row);
  return row;
}

// Any worker may do this at any time, as others walk along the same chain. It rests on one fact about every link that
// was ever stored: it leads to the end or to a row further behind in the chain, and all rows between were marked by
// then. They stay marked, so whatever links a worker reads, new ones or old, it misses none that is not. Two such links
// one after the other, with a marked row where they meet, make a third one; if two workers store different ones in the
// same place, either does. Nothing else is published by a link, so that relaxed order suffices.
//
// A walk over marked rows halves its path (as in union-find with path halving), also from a marked row where it began:
// n rows cost n steps once, not n steps for every probe row.
int32_t JoinTable::pass_on(int32_t row) {
  const int32_t behind = next(row);
  if (behind == kEnd || !is_marked(behind)) return behind;
  const int32_t after = next(behind);
  link_of(row).store(after, std::memory_order_relaxed);
  return after;
}

}  // namespace accelerant::operators
