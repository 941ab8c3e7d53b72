#pragma once

#include "base/prefetch.h"
#include "columns/column.h"
#include "execution/context.h"
#include "memory/buffer.h"
#include "operators/join_keys.h"

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace accelerant::operators {

/// The build side of a join: its rows, and a chain of rows for each key. Keys of one word that lie close together are
/// places of chains themselves; others are found by their hashes, in buckets of a cache line each. Immutable once
/// complete, but for the marks of matched rows, which any worker may set, and the links past them.
class JoinTable {
 public:
  static constexpr int32_t kEnd = -1;
  /// Keys are places where there are at most so many a row: buckets take more.
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

  /// Finds the first row that has a probe row's key, or kEnd.
  int32_t first(const JoinKeys& probe, int64_t probe_row) const {
    if (!is_direct_) return first_by_hash(probe, probe_row);
    const uint64_t place = *probe.words(probe_row) - least_key_;
    return place <= last_place_ ? heads_[place] : kEnd;
  }
  /// Finds the row of the same key behind another one, or kEnd.
  int32_t next(int32_t row) const { return link_of(row).load(std::memory_order_relaxed); }
  /// Says whether keys are places.
  bool is_direct() const { return is_direct_; }
  /// Says whether no two rows have the same key.
  bool is_unique() const { return !has_repeated_.load(std::memory_order_relaxed); }
  /// Loads what `first` reads.
  void prefetch(const JoinKeys& probe, int64_t probe_row) const {
    if (!is_direct_) return prefetch_line(buckets_ + place_of(probe.hash(probe_row)));
    const uint64_t place = *probe.words(probe_row) - least_key_;
    if (place <= last_place_) prefetch_line(heads_ + place);
  }
  /// Loads what `first` compares keys with, where that is not what `prefetch` has loaded.
  void prefetch_key(const JoinKeys& probe, int64_t probe_row) const {
    if (!words_ && !bytes_) return;
    const uint64_t hash = probe.hash(probe_row);
    const int32_t row = buckets_[place_of(hash)].row_of(hash);
    if (row == kEnd) return;
    prefetch_line(words_ ? static_cast<const void*>(words_ + 2 * static_cast<int64_t>(row)) : bytes_ + row);
  }
  /// Loads what `next` reads.
  void prefetch_next(int32_t row) const {
    if (row != kEnd) prefetch_line(next_ + row);
  }
  /// Returns the row, or the first one behind it in its chain, that is not marked, or kEnd, and links past marked ones,
  /// so that they do not cost again and again. From then on `next` may miss rows that are marked.
  /// @param steps how many rows may be passed, less those that were; where none is left, the search may have ended at
  ///              any row, and goes on from there
  int32_t find_unmarked_from(int32_t row, int64_t& steps);

  void mark(int32_t row) { std::atomic_ref(matched_[row]).store(1, std::memory_order_relaxed); }
  bool is_marked(int64_t row) const { return std::atomic_ref(matched_[row]).load(std::memory_order_relaxed); }

 private:
  /// Keys' hashes, and where their chains begin. A key that finds no room goes to the next bucket that has some.
  struct alignas(64) Bucket {
    static constexpr size_t kKeys = 5;

    /// Returns the first row whose key has this hash, or kEnd. No branch goes by which one it is, as nothing foretells
    /// that.
    int32_t row_of(uint64_t hash) const {
      uint32_t found = 0;  // a bit each
      for (size_t i = 0; i < kKeys; ++i) found |= uint32_t{hashes[i] == hash} << i;
      return found == 0 ? kEnd : rows[static_cast<size_t>(std::countr_zero(found))];
    }

    std::array<uint64_t, kKeys> hashes;
    std::array<int32_t, kKeys> rows;  ///< kEnd: no key, nor any behind it
    int32_t was_full;                 ///< whether a key found no room
  };
  static_assert(sizeof(Bucket) == 64);

  static int64_t num_buckets(int64_t num_rows) { return num_rows / kKeysPerBucket + 1; }
  /// Decides whether keys are places themselves.
  void choose_places();
  template <class T>
  void allocate_array(T*& array, int64_t length);
  void link(uint64_t first_place, uint64_t end_place);
  void link_chunk(const Chunk& chunk, int64_t first_row, uint64_t first_place, uint64_t end_place, int32_t& left_over);
  /// Links a row in the buckets from a place to an end, if its key is there or has room; else returns false.
  bool link_in(uint64_t place, uint64_t end_place, uint64_t hash, const JoinKeys& keys, int64_t row_of_key,
               int32_t row);
  void link_left_over(int32_t last_row);
  /// Puts a row before those of its key, whose chain begins here.
  void put_first(int32_t& head, int32_t row);
  void put_together(size_t column);
  void drop_chunks();
  /// Returns the bucket in which the search for a hash begins. Partitions take other bits.
  uint64_t place_of(uint64_t hash) const { return ((hash & 0xffffffff) * (last_place_ + 1)) >> 32; }
  int32_t first_by_hash(const JoinKeys& probe, int64_t probe_row) const;
  /// Returns the row in a bucket that has a key, or nullptr.
  int32_t* find_in(Bucket& bucket, uint64_t hash, const JoinKeys& keys, int64_t row_of_key) const;
  /// Says whether a row of the table has a key of the same hash. No two keys of one word have.
  bool has_key(int32_t row, const JoinKeys& keys, int64_t row_of_key) const {
    if (words_) {
      const uint64_t* const own = words_ + 2 * static_cast<int64_t>(row);
      const uint64_t* const others = keys.words(row_of_key);
      return own[0] == others[0] && own[1] == others[1];
    }
    return !bytes_ || bytes_[row] == keys.bytes(row_of_key);
  }
  /// Links to the row behind the next one if that is marked. Returns the row that is linked then.
  int32_t pass_on(int32_t row);
  std::atomic_ref<int32_t> link_of(int32_t row) const { return std::atomic_ref(next_[row]); }

  static constexpr int64_t kKeysPerBucket = 3;  ///< on average

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
  std::atomic<bool> has_repeated_{false};
  uint64_t least_key_ = 0;                                ///< where keys are places
  uint64_t last_place_ = 0;                               ///< of `heads_` or `buckets_`
  std::vector<std::shared_ptr<memory::Buffer>> buffers_;  ///< own what the pointers below point to
  int32_t* heads_ = nullptr;                              ///< where keys are places
  Bucket* buckets_ = nullptr;                             ///< of other keys
  int32_t* next_ = nullptr;                               ///< by row
  uint64_t* words_ = nullptr;                             ///< of keys of two words
  std::string_view* bytes_ = nullptr;                     ///< into `keys_`, of keys of bytes
  std::mutex left_over_mutex_;
  std::vector<int32_t> left_over_;  ///< the last row of each worker that is to be linked by the last task
  std::vector<std::unique_ptr<JoinKeys>> keys_;
  uint8_t* matched_ = nullptr;  ///< by row
};

}  // namespace accelerant::operators
