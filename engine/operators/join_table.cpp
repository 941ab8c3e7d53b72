#include "operators/join_table.h"

#include "base/error.h"
#include "columns/gather.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace accelerant::operators {

using columns::Column;
using columns::ColumnPtr;

namespace {

/// Keys are places where there are at most so many a row: a table of hashes takes as much, and the keys beside it.
constexpr uint64_t kMaxPlacesPerRow = 4;

/// Goes along a chain to its first row that is wanted, or its end, or as far as the steps go.
template <class IsWanted, class Next>
int32_t follow(int32_t row, int64_t& steps, const IsWanted& is_wanted, const Next& next) {
  for (; row != JoinTable::kEnd && steps > 0 && !is_wanted(row); --steps) row = next(row);
  return row;
}

}  // namespace

JoinTable::JoinTable(std::vector<Chunk> chunks, bool marks_matches, const execution::OperatorContext& ctx)
    : reservation_(ctx.budget, 0) {
  for (const Chunk& chunk : chunks) num_rows_ += chunk.num_rows;
  if (num_rows_ > std::numeric_limits<int32_t>::max()) {
    throw Error(ErrorKind::Resource, "Join holds at most 2,147,483,647 rows of one side");
  }
  concatenate_columns(chunks, ctx);
  choose_places(chunks);
  link(chunks, ctx);
  int64_t held_bytes = marks_matches ? num_rows_ : 0;
  if (bytes_) {
    for (Chunk& chunk : chunks) {
      held_bytes += chunk.keys->memory_bytes();
      keys_.push_back(std::move(chunk.keys));
    }
  }
  reservation_.resize(held_bytes);
  if (marks_matches) matched_ = std::vector<std::atomic<uint8_t>>(static_cast<size_t>(num_rows_));
}

void JoinTable::concatenate_columns(std::vector<Chunk>& chunks, const execution::OperatorContext& ctx) {
  if (chunks.empty()) return;
  std::vector<ColumnPtr> parts(chunks.size());
  for (size_t column = 0; column < chunks.front().columns.size(); ++column) {
    ctx.cancellation->check();
    for (size_t i = 0; i < chunks.size(); ++i) parts[i] = std::move(chunks[i].columns[column]);
    columns_.push_back(parts.front()->is_constant() ? Column::constant(parts.front()->child_values(), num_rows_)
                                                    : columns::concatenate(parts, ctx.budget));
  }
}

void JoinTable::choose_places(const std::vector<Chunk>& chunks) {
  last_place_ = std::bit_ceil(static_cast<uint64_t>(num_rows_ + num_rows_ / 2 + 1)) - 1;
  if (chunks.empty() || !chunks.front().keys->is_packed()) return;
  uint64_t least = std::numeric_limits<uint64_t>::max();
  uint64_t greatest = 0;
  for (const Chunk& chunk : chunks) {
    for (int64_t i = 0; i < chunk.num_rows; ++i) {
      if (chunk.keys->is_null(i)) continue;
      least = std::min(least, chunk.keys->packed(i));
      greatest = std::max(greatest, chunk.keys->packed(i));
    }
  }
  if (greatest < least || greatest - least >= kMaxPlacesPerRow * static_cast<uint64_t>(num_rows_)) return;
  is_direct_ = true;
  least_key_ = least;
  last_place_ = greatest - least;
}

void JoinTable::link(const std::vector<Chunk>& chunks, const execution::OperatorContext& ctx) {
  const auto allocate = [&]<class T>(T*& array, int64_t length) {
    buffers_.push_back(memory::Buffer::allocate(length * static_cast<int64_t>(sizeof(T)), ctx.budget));
    array = buffers_.back()->mutable_as<T>();
  };
  const bool is_packed = chunks.empty() || chunks.front().keys->is_packed();
  allocate(heads_, static_cast<int64_t>(last_place_ + 1));
  std::fill_n(heads_, last_place_ + 1, kEnd);
  allocate(next_, num_rows_);
  if (!is_packed) allocate(bytes_, num_rows_);
  if (is_packed && !is_direct_) allocate(packed_, num_rows_);
  bool has_repeated = false;
  // From the last row to the first, so that chains ascend.
  int64_t row = num_rows_;
  for (auto chunk = chunks.rbegin(); chunk != chunks.rend(); ++chunk) {
    ctx.cancellation->check();
    const JoinKeys& keys = *chunk->keys;
    for (int64_t i = chunk->num_rows - 1; i >= 0; --i) {
      --row;
      if (packed_) packed_[row] = keys.packed(i);
      if (bytes_) bytes_[row] = keys.bytes(i);
      if (keys.is_null(i)) continue;
      int32_t& head = heads_[place_of(keys, i)];
      has_repeated |= head != kEnd;
      next_[row] = head;
      head = static_cast<int32_t>(row);
    }
  }
  is_unique_ = is_direct_ && !has_repeated;
}

template <class Search>
int32_t JoinTable::compare(const JoinKeys& probe, int64_t probe_row, const Search& search) const {
  if (is_direct_) return search([](int32_t) { return true; });
  if (packed_) return search([this, key = probe.packed(probe_row)](int32_t row) { return packed_[row] == key; });
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
