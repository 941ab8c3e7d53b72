#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "execution/event.h"
#include "operators/spilled_run.h"
#include "operators/spilled_stretch.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::operators {

/// How many rows of each run come before a place.
using SpilledPosition = std::vector<int64_t>;

/// Reads the rows of some runs in the order of their keys, those of equal keys in the order of their morsels: of each
/// run a block, and the next one ahead where there is memory for it. A call that throws memory::MemoryWait, or has to
/// wait, is made again. One thread at a time.
class SpilledMerge {
 public:
  /// @param begin, end which rows
  SpilledMerge(const SpilledRuns& runs, const SpilledPosition& begin, const SpilledPosition& end,
               std::shared_ptr<const SpilledOrder> order, const execution::OperatorContext& ctx,
               spill::SpillTarget& target);

  /// Says whether there is memory to read ahead, and to hold rows that others merge.
  bool has_room() const { return target_.bytes_left() >= bytes_for_ahead_; }
  /// Sets `out` to the next rows, at most so many, in pieces that their blocks allow for: others may merge them while
  /// this one goes on. It is empty when all have come.
  /// @return what to wait for before calling again; nullptr: `out` is set
  /// @throws Error Cancelled; Resource where a file can't be read
  execution::EventPtr next_stretch(int64_t most_rows, SpilledStretch& out);
  /// Sets `out` to the next rows, at most so many, flat and owning their bytes; none when all have come. Likewise.
  /// @param morsels set to those of the rows; nullptr: nobody wants them
  execution::EventPtr next(int64_t most_rows, columns::Batch& out, std::vector<int64_t>* morsels);
  /// Returns one that reads the same rows from here on, and no block ahead yet.
  SpilledMerge fork() const;
  /// Likewise as `next`, waiting itself.
  void read(int64_t most_rows, columns::Batch& out, std::vector<int64_t>* morsels);

 private:
  /// The next rows of a run.
  struct Cursor {
    SpilledRunPtr run;
    size_t number;     ///< of the run
    int64_t next_row;  ///< of the run, behind the block
    int64_t end_row;
    std::shared_ptr<const SpilledBlock> block = {};
    int64_t row = 0;  ///< of the block
    int64_t end = 0;  ///< likewise
    std::shared_ptr<spill::BlockRead> ahead = {};

    bool has_more_blocks() const { return next_row < end_row; }
  };

  void start_read(Cursor& cursor);
  /// Likewise. Returns what to wait for where memory is short and blocks of others are on their way; nullptr: it reads.
  execution::EventPtr start_or_wait(Cursor& cursor);
  void start_ahead(Cursor& cursor);
  /// Makes a run's block be there; returns what to wait for, or nullptr.
  execution::EventPtr load(Cursor& cursor);
  execution::EventPtr load_missing();
  bool is_before(const Cursor& lhs, int64_t lhs_row, const Cursor& rhs, int64_t rhs_row) const;
  /// Counts the rows of each block that come before a row, or are it: from a cursor's row on, to `end` at most.
  std::vector<int64_t> ends_behind(const Cursor& pivot, int64_t pivot_row, const std::vector<int64_t>& begins,
                                   const std::vector<int64_t>& ends) const;
  /// Returns the end of the rows in each block before which no row comes that is still in a file.
  std::vector<int64_t> safe_ends() const;
  /// Returns the ends of the first so many rows, of those before `ends`.
  std::vector<int64_t> ends_of_first(int64_t count, std::vector<int64_t> ends) const;

  const std::shared_ptr<const SpilledOrder> order_;
  const execution::OperatorContext ctx_;
  spill::SpillTarget& target_;
  std::vector<Cursor> cursors_;  ///< of runs that have rows left
  int64_t bytes_for_ahead_ = 0;  ///< that are left where blocks are read ahead, at least
  // The batch at hand.
  SpilledStretch stretch_;
  OrderedRows rows_;
};

/// Returns where part `index` of `count` of some runs begins by their first keys, as SortedRows::part_begin does. Reads
/// some blocks, and waits for them.
SpilledPosition spilled_part_begin(const SpilledRuns& runs, int index, int count, const SpilledOrder& order,
                                   size_t num_keys, const execution::OperatorContext& ctx, spill::IoThreads& threads);

}  // namespace accelerant::operators
