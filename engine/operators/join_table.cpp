#include "operators/join_table.h"

#include "base/error.h"
#include "columns/gather.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace accelerant::operators {

using columns::ColumnPtr;

JoinTable::JoinTable(std::vector<Chunk> chunks, bool marks_matches, const std::shared_ptr<memory::Budget>& budget)
    : reservation_(budget, 0) {
  for (const Chunk& chunk : chunks) num_rows_ += chunk.num_rows;
  if (num_rows_ > std::numeric_limits<int32_t>::max()) {
    throw Error(ErrorKind::Resource, "Join holds at most 2,147,483,647 rows of one side");
  }
  concatenate_columns(chunks, budget);
  link(chunks, budget);
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

void JoinTable::concatenate_columns(std::vector<Chunk>& chunks, const std::shared_ptr<memory::Budget>& budget) {
  if (chunks.empty()) return;
  std::vector<ColumnPtr> parts(chunks.size());
  for (size_t column = 0; column < chunks.front().columns.size(); ++column) {
    for (size_t i = 0; i < chunks.size(); ++i) parts[i] = std::move(chunks[i].columns[column]);
    columns_.push_back(columns::concatenate(parts, budget));
  }
}

void JoinTable::link(const std::vector<Chunk>& chunks, const std::shared_ptr<memory::Budget>& budget) {
  const auto allocate = [&]<class T>(T*& array, int64_t length) {
    buffers_.push_back(memory::Buffer::allocate(length * static_cast<int64_t>(sizeof(T)), budget));
    array = buffers_.back()->mutable_as<T>();
  };
  const bool is_packed = chunks.empty() || chunks.front().keys->is_packed();
  const uint64_t num_heads = std::bit_ceil(static_cast<uint64_t>(num_rows_ + num_rows_ / 2 + 1));
  mask_ = num_heads - 1;
  allocate(heads_, static_cast<int64_t>(num_heads));
  std::fill_n(heads_, num_heads, kEnd);
  allocate(next_, num_rows_);
  is_packed ? allocate(packed_, num_rows_) : allocate(bytes_, num_rows_);
  // From the last row to the first, so that chains ascend.
  int64_t row = num_rows_;
  for (auto chunk = chunks.rbegin(); chunk != chunks.rend(); ++chunk) {
    const JoinKeys& keys = *chunk->keys;
    for (int64_t i = chunk->num_rows - 1; i >= 0; --i) {
      --row;
      if (is_packed) {
        packed_[row] = keys.packed(i);
      } else {
        bytes_[row] = keys.bytes(i);
      }
      if (keys.is_null(i)) continue;
      int32_t& head = heads_[keys.hash(i) & mask_];
      next_[row] = head;
      head = static_cast<int32_t>(row);
    }
  }
}

int32_t JoinTable::find_from(int32_t row, const JoinKeys& probe, int64_t probe_row) const {
  if (packed_) {
    const uint64_t key = probe.packed(probe_row);
    while (row != kEnd && packed_[row] != key) row = next_[row];
  } else {
    const std::string_view key = probe.bytes(probe_row);
    while (row != kEnd && bytes_[row] != key) row = next_[row];
  }
  return row;
}

}  // namespace accelerant::operators
