#include "operators/join_table.h"

#include "base/error.h"
#include "columns/gather.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace accelerant::operators {

using columns::Column;
using columns::ColumnPtr;

namespace {

/// Returns how many places keys of so many rows have where hashes are places.
uint64_t num_places(int64_t num_rows) { return std::bit_ceil(static_cast<uint64_t>(num_rows + num_rows / 2 + 1)); }

/// A range of places that is worth a worker's while.
constexpr int64_t kMinRowsPerRange = 64 * 1024;
constexpr int64_t kLinkedAtOnce = 256;
/// Places that are filled between two looks at the cancellation.
constexpr uint64_t kFilledAtOnce = 1 << 20;

/// Goes along a chain to its first row that is wanted, or its end, or as far as the steps go.
template <class IsWanted, class Next>
int32_t follow(int32_t row, int64_t& steps, const IsWanted& is_wanted, const Next& next) {
  for (; row != JoinTable::kEnd && steps > 0 && !is_wanted(row); --steps) row = next(row);
  return row;
}

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

// Where keys are places, as many of these take no more than hashes' with the keys beside them.
int64_t JoinTable::bytes_of(int64_t num_rows, int num_words, bool marks_matches) {
  constexpr auto kLink = static_cast<int64_t>(sizeof(int32_t));
  const auto places = static_cast<int64_t>(num_places(num_rows));
  const auto of_key = static_cast<int64_t>(num_words > 0 ? static_cast<size_t>(num_words) * sizeof(uint64_t)
                                                         : sizeof(std::string_view));
  const int64_t most_direct = num_words == 1 ? static_cast<int64_t>(kMaxPlacesPerRow) * num_rows * kLink : 0;
  return std::max(places * kLink + num_rows * of_key, most_direct) + num_rows * (kLink + int64_t{marks_matches}) +
         4 * memory::Buffer::capacity_for(0);
}

void JoinTable::choose_places() {
  last_place_ = num_places(num_rows_) - 1;
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
  num_words_ = chunks_.empty() ? 1 : chunks_.front().keys->num_words();
  allocate_array(heads_, static_cast<int64_t>(last_place_ + 1));
  allocate_array(next_, num_rows_);
  if (num_words_ == 0) allocate_array(bytes_, num_rows_);
  if (num_words_ > 0 && !is_direct_) allocate_array(words_, num_rows_ * num_words_);
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
  if (finish_tasks_left_.fetch_sub(1, std::memory_order_acq_rel) == 1) drop_chunks();
}

void JoinTable::put_together(size_t column) {
  std::vector<ColumnPtr> parts;
  for (const Chunk& chunk : chunks_) parts.push_back(chunk.columns[column]);
  columns_[column] = parts.front()->is_constant() ? Column::constant(parts.front()->child_values(), num_rows_)
                                                  : columns::concatenate(parts, budget_, &cancellation_);
  for (Chunk& chunk : chunks_) chunk.columns[column] = nullptr;
}

// A row is put before the others of its chain, so that rows are taken in the reverse of the order in which chains are
// followed. Rows of other ranges are left out without a branch, as nothing foretells them.
void JoinTable::link(uint64_t first_place, uint64_t end_place) {
  for (uint64_t place = first_place; place < end_place; place += kFilledAtOnce) {
    cancellation_.check();
    std::fill(heads_ + place, heads_ + std::min(place + kFilledAtOnce, end_place), kEnd);
  }
  if (order_ == ChainOrder::LastRowFirst) {
    int64_t first_row = 0;
    for (const Chunk& chunk : chunks_) {
      link_chunk(chunk, first_row, first_place, end_place);
      first_row += chunk.num_rows;
    }
  } else {
    int64_t first_row = num_rows_;
    for (auto chunk = chunks_.rbegin(); chunk != chunks_.rend(); ++chunk) {
      first_row -= chunk->num_rows;
      link_chunk(*chunk, first_row, first_place, end_place);
    }
  }
}

void JoinTable::link_chunk(const Chunk& chunk, int64_t first_row, uint64_t first_place, uint64_t end_place) {
  cancellation_.check();
  const JoinKeys& keys = *chunk.keys;
  const bool reversed = order_ == ChainOrder::FirstRowFirst;
  std::array<int32_t, kLinkedAtOnce> rows;
  std::array<uint64_t, kLinkedAtOnce> places;
  bool has_repeated = false;
  for (int64_t begin = 0; begin < chunk.num_rows; begin += kLinkedAtOnce) {
    size_t n = 0;
    for (int64_t k = begin; k < std::min(chunk.num_rows, begin + kLinkedAtOnce); ++k) {
      const int64_t i = reversed ? chunk.num_rows - 1 - k : k;
      rows[n] = static_cast<int32_t>(i);
      places[n] = place_of(keys, i);
      n += places[n] - first_place < end_place - first_place && !keys.is_null(i);
    }
    for (size_t k = 0; k < n; ++k) prefetch_line_to_write(heads_ + places[k]);
    for (size_t k = 0; k < n; ++k) {
      const int64_t row = first_row + rows[k];
      if (words_) std::copy_n(keys.words(rows[k]), num_words_, words_ + row * num_words_);
      if (bytes_) bytes_[row] = keys.bytes(rows[k]);
      int32_t& head = heads_[places[k]];
      has_repeated |= head != kEnd;
      next_[row] = head;
      head = static_cast<int32_t>(row);
    }
  }
  if (has_repeated) has_repeated_.store(true, std::memory_order_relaxed);
}

/// Keeps the keys' bytes, which the table's own point into.
void JoinTable::drop_chunks() {
  if (bytes_) {
    for (Chunk& chunk : chunks_) keys_.push_back(std::move(chunk.keys));
  }
  chunks_.clear();
}

template <class Search>
int32_t JoinTable::compare(const JoinKeys& probe, int64_t probe_row, const Search& search) const {
  if (is_direct_) return search([](int32_t) { return true; });
  const uint64_t* const key = words_ ? probe.words(probe_row) : nullptr;
  if (words_ && num_words_ == 1) return search([this, key = *key](int32_t row) { return words_[row] == key; });
  if (words_) {
    return search([this, first = key[0], second = key[1]](int32_t row) {
      return words_[2 * static_cast<int64_t>(row)] == first && words_[2 * static_cast<int64_t>(row) + 1] == second;
    });
  }
  return search([this, key = probe.bytes(probe_row)](int32_t row) { return bytes_[row] == key; });
}

int32_t JoinTable::find_from(int32_t row, const JoinKeys& probe, int64_t probe_row, int64_t& steps) const {
  return compare(probe, probe_row, [&](const auto& has_key) {
    return follow(row, steps, has_key, [this](int32_t passed) { return next(passed); });
  });
}

int32_t JoinTable::find_unmarked_from(int32_t row, const JoinKeys& probe, int64_t probe_row, int64_t& steps) {
  return compare(probe, probe_row, [&](const auto& has_key) {
    const auto is_wanted = [&](int32_t found) { return !is_marked(found) && has_key(found); };
    return follow(row, steps, is_wanted, [this](int32_t passed) { return pass_on(passed); });
  });
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
