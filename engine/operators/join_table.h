#pragma once

#include "base/prefetch.h"
#include "columns/column.h"
#include "execution/context.h"
#include "memory/buffer.h"
#include "operators/join_keys.h"

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace accelerant::operators {

/// The build side of a join: its rows, and chains of rows that a key may be among. Keys of one word that
/// lie close together have a chain each, found by the key itself; else keys of equal hash share one. Immutable once
/// complete, but for the marks of matched rows, which any worker may set, and the links past them.
class JoinTable {
 public:
  static constexpr int32_t kEnd = -1;
  /// Keys are places where there are at most so many a row: a table of hashes takes as much, and the keys beside it.
  static constexpr uint64_t kMaxPlacesPerRow = 4;

  /// Rows of one batch with their keys; the columns are flat and own their bytes, or are constant in all chunks.
  struct Chunk {
    int64_t morsel;
    int64_t num_rows;
    std::vector<columns::ColumnPtr> columns;
    std::unique_ptr<JoinKeys> keys;
    KeyBounds bounds;  ///< of keys of one word
  };

  /// In which order of their rows chains are followed: matches of a key come last row first, as those of Spark's hashed
  /// relations do, so that a limit keeps the same; a join without keys takes all rows in order.
  enum class ChainOrder { FirstRowFirst, LastRowFirst };

  /// As many rows it holds at most.
  static constexpr int64_t kMostRows = std::numeric_limits<int32_t>::max();
  /// Returns what a table takes at most beside its rows and the chunks' keys.
  /// @param num_words of a key (JoinKeys)
  static int64_t bytes_of(int64_t num_rows, int num_words, bool marks_matches);

  /// Makes a table that is complete when memory is allocated and all its finish tasks have run.
  /// @param chunks in the order of their rows
  /// @param marks_matches whether probes will mark rows
  /// @param num_workers how many will run finish tasks at once
  JoinTable(std::vector<Chunk> chunks, bool marks_matches, ChainOrder order, int num_workers,
            const execution::OperatorContext& ctx);

  /// Allocates what finish tasks need. May be called again where it threw.
  void allocate();
  /// Hands back its chunks, and is of no use then. Before the first finish task.
  std::vector<Chunk> take_chunks() { return std::move(chunks_); }
  int64_t num_finish_tasks() const { return num_ranges_ + static_cast<int64_t>(columns_.size()); }
  /// Links the rows of a range of places, or puts a column together. Any thread.
  /// @throws Error Cancelled
  void run_finish_task(int64_t task);

  int64_t num_rows() const { return num_rows_; }
  /// The build side's columns; empty when there are no rows.
  const std::vector<columns::ColumnPtr>& columns() const { return columns_; }

  /// Finds the first row that may have a probe row's key, or kEnd.
  int32_t first(const JoinKeys& probe, int64_t probe_row) const {
    const uint64_t place = place_of(probe, probe_row);
    return place <= last_place_ ? heads_[place] : kEnd;
  }
  int32_t next(int32_t row) const { return link_of(row).load(std::memory_order_relaxed); }
  /// Says whether the rows of a chain have one key, so that none need be compared.
  bool is_direct() const { return is_direct_; }
  /// Says whether it is known that no two rows have the same key.
  bool is_unique() const { return is_direct_ && !has_repeated_.load(std::memory_order_relaxed); }
  /// Loads what `first` will read.
  void prefetch(const JoinKeys& probe, int64_t probe_row) const {
    const uint64_t place = place_of(probe, probe_row);
    if (place <= last_place_) prefetch_line(heads_ + place);
  }
  /// Loads what comparing keys with a row will read.
  void prefetch_key(int32_t row) const {
    if (row == kEnd) return;
    prefetch_line(next_ + row);
    if (is_direct_) return;
    prefetch_line(words_ ? static_cast<const void*>(words_ + static_cast<int64_t>(row) * num_words_) : bytes_ + row);
  }
  /// Returns the row or one behind it in its chain whose key equals the probe's, or kEnd.
  /// @param steps how many rows may be passed, less those that were; where none is left, the search may have ended at
  ///              any row, and goes on from there
  int32_t find_from(int32_t row, const JoinKeys& probe, int64_t probe_row, int64_t& steps) const;
  /// Does so among the rows that are not marked, and links past marked ones, so that they do not cost again and again.
  /// From then on `next` and `find_from` may miss rows that are marked.
  int32_t find_unmarked_from(int32_t row, const JoinKeys& probe, int64_t probe_row, int64_t& steps);

  void mark(int32_t row) { std::atomic_ref(matched_[row]).store(1, std::memory_order_relaxed); }
  bool is_marked(int64_t row) const { return std::atomic_ref(matched_[row]).load(std::memory_order_relaxed); }

 private:
  /// Decides whether keys are places themselves.
  void choose_places();
  template <class T>
  void allocate_array(T*& array, int64_t length);
  void link(uint64_t first_place, uint64_t end_place);
  void link_chunk(const Chunk& chunk, int64_t first_row, uint64_t first_place, uint64_t end_place);
  void put_together(size_t column);
  void drop_chunks();
  /// Returns the place of a key's chain; beyond the last one there is none.
  uint64_t place_of(const JoinKeys& keys, int64_t row) const {
    return is_direct_ ? *keys.words(row) - least_key_ : keys.hash(row) & last_place_;
  }
  /// Links to the row behind the next one if that is marked. Returns the row that is linked then.
  int32_t pass_on(int32_t row);
  std::atomic_ref<int32_t> link_of(int32_t row) const { return std::atomic_ref(next_[row]); }
  /// Calls `search` with a function that says whether a row's key equals the probe's.
  template <class Search>
  int32_t compare(const JoinKeys& probe, int64_t probe_row, const Search& search) const;

  const std::shared_ptr<memory::Budget> budget_;
  const execution::Cancellation& cancellation_;
  std::vector<Chunk> chunks_;  ///< until all finish tasks have run
  std::atomic<int64_t> finish_tasks_left_;
  const ChainOrder order_;
  const bool marks_matches_;
  int64_t num_rows_ = 0;
  std::vector<columns::ColumnPtr> columns_;
  int64_t num_ranges_ = 0;  ///< of places, each linked by one worker
  bool is_direct_ = false;
  std::atomic<bool> has_repeated_{false};  ///< where keys are places
  uint64_t least_key_ = 0;                 ///< where keys are places
  uint64_t last_place_ = 0;                ///< of `heads_`; one less than a power of two where hashes are places
  std::vector<std::shared_ptr<memory::Buffer>> buffers_;  ///< own what the pointers below point to
  int32_t* heads_ = nullptr;
  int32_t* next_ = nullptr;
  uint64_t* words_ = nullptr;          ///< none where keys are places
  int num_words_ = 0;                  ///< a row
  std::string_view* bytes_ = nullptr;  ///< into `keys_`
  std::vector<std::unique_ptr<JoinKeys>> keys_;
  uint8_t* matched_ = nullptr;  ///< by row
};

}  // namespace accelerant::operators
