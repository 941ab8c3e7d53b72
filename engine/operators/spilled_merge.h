#pragma once

#include "columns/batch.h"
#include "columns/gather_parts.h"
#include "execution/context.h"
#include "execution/event.h"
#include "operators/spilled_run.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace accelerant::operators {

/// Spilled runs of one sort. Of a worker's, the earlier come first.
using SpilledRuns = std::vector<SpilledRunPtr>;

/// How many rows of each run come before a place.
using SpilledPosition = std::vector<int64_t>;

/// Reads the rows of some runs in the order of their keys, those of equal keys in the order of their morsels: of each
/// run a block, and the next one ahead where there is memory for it. A call that throws memory::MemoryWait, or has to
/// wait, is made again. One thread at a time.
class SpilledMerge {
 public:
  /// @param begin, end which rows
  SpilledMerge(SpilledRuns runs, SpilledPosition begin, SpilledPosition end, std::shared_ptr<const KeyOrder> order,
               const execution::OperatorContext& ctx, spill::SpillTarget& target);

  /// Sets `out` to the next rows, at most so many, flat and owning their bytes; none when all have come.
  /// @param morsels set to those of the rows; nullptr: nobody wants them
  /// @return what to wait for before calling again; nullptr: `out` is set
  /// @throws Error Cancelled; Resource where a file can't be read
  execution::EventPtr next(int64_t most_rows, columns::Batch& out, std::vector<int64_t>* morsels);
  /// Returns one that reads the same rows from here on, and no block ahead yet.
  SpilledMerge fork() const;
  /// Likewise as `next`, waiting itself.
  void read(int64_t most_rows, columns::Batch& out, std::vector<int64_t>* morsels);

 private:
  static constexpr int32_t kNone = -1;

  /// The next row of a run.
  struct Cursor {
    SpilledRunPtr run;
    int64_t next_row;  ///< of the run
    int64_t end_row;
    std::optional<SpilledBlock> block = {};
    int64_t row = 0;       ///< of the block
    int64_t end = 0;       ///< likewise
    int32_t part = kNone;  ///< the block among those of the batch at hand
    std::shared_ptr<spill::BlockRead> ahead = {};
  };

  /// A run's next row in the heap.
  struct Next {
    uint64_t word;  ///< of its first key, which is compared first; 0: runs have none
    size_t cursor;
  };

  bool is_before(const Next& lhs, const Next& rhs) const {
    return lhs.word != rhs.word ? lhs.word < rhs.word : is_tie_before(lhs.cursor, rhs.cursor);
  }
  /// Says so of rows whose words are the same.
  bool is_tie_before(size_t lhs, size_t rhs) const;
  static uint64_t word_of(const Cursor& cursor) {
    return cursor.block->words ? cursor.block->words->as<uint64_t>()[cursor.row] : 0;
  }
  /// Moves the first of the heap down to where it belongs.
  void sift_down();
  void start_read(Cursor& cursor);
  void start_ahead(Cursor& cursor);
  /// Makes a run's block be there; returns what to wait for, or nullptr.
  execution::EventPtr load(Cursor& cursor);
  execution::EventPtr load_missing();
  /// Takes the first row of all.
  void take_first();
  void emit(columns::Batch& out);

  const std::shared_ptr<const KeyOrder> order_;
  const execution::OperatorContext ctx_;
  spill::SpillTarget& target_;
  std::vector<Cursor> cursors_;
  int64_t bytes_for_ahead_ = 0;  ///< that are left where blocks are read ahead, at least
  std::vector<size_t> missing_;  ///< cursors whose block is not there
  std::vector<Next> heap_;       ///< the first row at the front
  // The batch at hand.
  std::vector<SpilledBlock> parts_;
  std::vector<columns::PartRow> rows_;
  std::vector<int64_t> morsels_;
};

/// Returns where part `index` of `count` of some runs begins by their first keys, as SortedRows::part_begin does. Reads
/// some blocks, and waits for them.
SpilledPosition spilled_part_begin(const SpilledRuns& runs, int index, int count, const KeyOrder& order,
                                   size_t num_keys, const execution::OperatorContext& ctx, spill::IoThreads& threads);

}  // namespace accelerant::operators
