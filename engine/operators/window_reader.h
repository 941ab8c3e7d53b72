#pragma once

#include "columns/batch.h"
#include "execution/gate.h"
#include "operators/sorted_stretches.h"
#include "operators/spilled_rows.h"
#include "operators/window_stream.h"
#include "plan/window.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace accelerant::operators {

/// Rows that the functions of a window are computed of at a time: whole window partitions, or a piece of one that is
/// larger than memory.
struct WindowPiece {
  std::vector<columns::Batch> rows;
  std::vector<columns::Batch> before;      ///< of a piece: rows before it that functions look at
  std::vector<columns::Batch> behind;      ///< and behind it
  std::shared_ptr<PartitionSoFar> so_far;  ///< of a piece; nullptr: whole window partitions
  bool ends_morsel = false;
};

/// Reads the rows of a part that lies on disk, morsel after morsel: a morsel has the window partitions that begin in a
/// stretch of rows, and comes in pieces that memory has room for. One worker at a time, who has passed the gate.
class WindowReader {
 public:
  /// @param index, count which part
  WindowReader(std::shared_ptr<const plan::Window> node, std::shared_ptr<const SpilledParts> parts, int index,
               int count);

  execution::Gate& gate() { return gate_; }
  /// Counts one more who may read.
  void add_worker() { num_workers_.fetch_add(1, std::memory_order_relaxed); }
  int64_t num_morsels() const { return stretches_.num_morsels(); }
  int64_t take_morsel() { return next_morsel_++; }

  /// Sets `piece` to the next one of the morsel that was taken. A call that throws memory::MemoryWait, or has to wait,
  /// is made again.
  /// @return what to wait for; nullptr: `piece` is set
  /// @throws Error Cancelled; Resource where a file can't be read, or there is no memory for rows that belong together
  execution::EventPtr read(int64_t morsel, WindowPiece& piece);
  /// Returns columns without rows.
  const std::vector<columns::ColumnPtr>& no_rows() const { return no_rows_; }

 private:
  /// Where a piece ends: behind so many of the rows at hand.
  struct End {
    int64_t count;
    bool is_in_partition;  ///< more rows of its last window partition come
  };

  WindowReader(std::shared_ptr<const plan::Window> node, std::shared_ptr<const SpilledParts> parts,
               const SpilledPosition& begin, const SpilledPosition& end, int count);

  execution::EventPtr read_more();
  void note_changes(const columns::Batch& batch);
  /// Notes that a row has the same in so many first keys as the row before.
  void note_change(int64_t row, size_t num_equal);
  /// Returns where the next piece ends; nothing: more rows have to be read.
  std::optional<End> find_end(int64_t stretch_end) const;
  std::optional<End> end_in_partition() const;
  /// Says whether there is no memory for what functions need beside as many rows as are at hand.
  bool is_too_much() const;
  bool are_all_read() const { return num_taken_ + num_pending_ == num_rows_; }
  /// Reads the whole partition that the rows begin with, for what functions have to know of it.
  execution::EventPtr read_totals();
  /// Returns how many of some rows are of that partition.
  int64_t count_of_partition(const columns::Batch& batch) const;
  WindowPiece take(End end, int64_t stretch_end);
  /// Returns rows [first, first + count) of those at hand.
  std::vector<columns::Batch> rows(int64_t first, int64_t count) const;
  void drop(int64_t count);

  const std::shared_ptr<const plan::Window> node_;
  const WindowReach reach_;
  const std::shared_ptr<const SpilledParts> parts_;
  const std::vector<int> computed_with_;  ///< the columns that functions look at
  const int64_t num_rows_;
  const int64_t batch_rows_;
  const int64_t num_readers_;  ///< that may read at the same time, one for each part
  const SortedStretches stretches_;
  execution::Gate gate_;
  std::atomic<int64_t> num_workers_{0};
  SpilledMerge merge_;
  int64_t next_morsel_ = 0;
  std::vector<columns::ColumnPtr> no_rows_;
  std::deque<columns::Batch> pending_;  ///< rows that were read, and are of no piece yet
  int64_t num_pending_ = 0;             ///< rows of these
  int64_t pending_bytes_ = 0;           ///< and bytes
  int64_t computed_bytes_ = 0;          ///< of the columns that functions look at
  int64_t num_taken_ = 0;               ///< rows that are of a piece
  // Where keys change behind the first pending row: rows by their number among all.
  std::deque<int64_t> partitions_;  ///< window partitions begin
  std::deque<int64_t> orders_;      ///< a piece might end, had it the rows behind it that functions look at
  int64_t last_order_ = 0;          ///< the last of those that has them
  std::optional<End> end_;          ///< of the next piece, where it is known
  // For a partition that comes in pieces:
  std::shared_ptr<PartitionSoFar> so_far_;  ///< nullptr: the pending rows begin a partition
  std::vector<columns::Batch> before_;      ///< the last rows of the pieces before
  std::optional<SpilledMerge> totals_;      ///< what is left to read of the whole partition
  std::deque<columns::Batch> of_totals_;    ///< rows of it that are to be added
  bool are_totals_read_ = false;
  bool has_totals_ = false;
};

}  // namespace accelerant::operators
