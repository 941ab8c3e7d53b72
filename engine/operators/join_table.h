#pragma once

#include "columns/column.h"
#include "execution/context.h"
#include "memory/buffer.h"
#include "operators/join_keys.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace accelerant::operators {

/// The build side of a join: its rows, and a chained hash table over their keys. Rows of equal hash form a chain,
/// ascending. Immutable once built, but for the marks of matched rows, which any worker may set, and the links past
/// them.
class JoinTable {
 public:
  static constexpr int32_t kEnd = -1;

  /// Rows of one batch with their keys; the columns are flat and own their bytes, or are constant in all chunks.
  struct Chunk {
    int64_t morsel;
    int64_t num_rows;
    std::vector<columns::ColumnPtr> columns;
    std::unique_ptr<JoinKeys> keys;
  };

  /// @param chunks in the order of their rows
  /// @param marks_matches whether probes will mark rows
  /// @throws Error Cancelled
  JoinTable(std::vector<Chunk> chunks, bool marks_matches, const execution::OperatorContext& ctx);

  int64_t num_rows() const { return num_rows_; }
  /// The build side's columns; empty when there are no rows.
  const std::vector<columns::ColumnPtr>& columns() const { return columns_; }

  /// Finds the first row that may have the hash, or kEnd.
  int32_t first(uint64_t hash) const { return heads_[hash & mask_]; }
  int32_t next(int32_t row) const { return link_of(row).load(std::memory_order_relaxed); }
  /// Loads what `first` will read.
  void prefetch(uint64_t hash) const { __builtin_prefetch(heads_ + (hash & mask_)); }
  /// Loads what comparing keys with a row will read.
  void prefetch_key(int32_t row) const {
    if (row != kEnd) __builtin_prefetch(packed_ ? static_cast<const void*>(packed_ + row) : bytes_ + row);
  }
  /// Returns the row or one behind it in its chain whose key equals the probe's, or kEnd.
  /// @param steps how many rows may be passed, less those that were; where none is left, the search may have ended at
  ///              any row, and goes on from there
  int32_t find_from(int32_t row, const JoinKeys& probe, int64_t probe_row, int64_t& steps) const;
  /// Does so among the rows that are not marked, and links past marked ones, so that they do not cost again and again.
  /// From then on `next` and `find_from` may miss rows that are marked.
  int32_t find_unmarked_from(int32_t row, const JoinKeys& probe, int64_t probe_row, int64_t& steps);

  void mark(int32_t row) { matched_[static_cast<size_t>(row)].store(1, std::memory_order_relaxed); }
  bool is_marked(int64_t row) const { return matched_[static_cast<size_t>(row)].load(std::memory_order_relaxed); }

 private:
  void concatenate_columns(std::vector<Chunk>& chunks, const execution::OperatorContext& ctx);
  void link(const std::vector<Chunk>& chunks, const execution::OperatorContext& ctx);
  /// Links to the row behind the next one if that is marked. Returns the row that is linked then.
  int32_t pass_on(int32_t row);
  std::atomic_ref<int32_t> link_of(int32_t row) const { return std::atomic_ref(next_[row]); }
  /// Calls `search` with a function that says whether a row's key equals the probe's.
  template <class Search>
  int32_t compare(const JoinKeys& probe, int64_t probe_row, const Search& search) const;

  int64_t num_rows_ = 0;
  std::vector<columns::ColumnPtr> columns_;
  uint64_t mask_ = 0;
  std::vector<std::shared_ptr<memory::Buffer>> buffers_;  ///< own what the pointers below point to
  int32_t* heads_ = nullptr;
  int32_t* next_ = nullptr;
  uint64_t* packed_ = nullptr;
  std::string_view* bytes_ = nullptr;  ///< into `keys_`
  std::vector<std::unique_ptr<JoinKeys>> keys_;
  memory::Reservation reservation_;
  std::vector<std::atomic<uint8_t>> matched_;
};

}  // namespace accelerant::operators
