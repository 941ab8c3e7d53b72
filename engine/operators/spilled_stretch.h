#pragma once

#include "columns/batch.h"
#include "columns/gather_parts.h"
#include "execution/context.h"
#include "operators/spilled_run.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace accelerant::operators {

/// Rows [begin, end) of a block of a run.
struct SpilledSlice {
  std::shared_ptr<const SpilledBlock> block;
  size_t run;  ///< its number among those that are merged
  int64_t begin;
  int64_t end;
};

/// Returns whether a row comes before another one: by all keys, then by their morsels, then by their runs.
/// @param lhs_run, rhs_run the runs' numbers
bool is_spilled_row_before(const SpilledOrder& order, const SpilledBlock& lhs, int64_t lhs_row, size_t lhs_run,
                           const SpilledBlock& rhs, int64_t rhs_row, size_t rhs_run);

/// Rows of blocks in order, until they are a batch.
class OrderedRows {
 public:
  int64_t num_rows() const { return static_cast<int64_t>(rows_.size()); }
  /// Returns a number for a block, whose rows may be added then.
  int32_t add_block(std::shared_ptr<const SpilledBlock> block);
  void add(int32_t block, int64_t row) {
    rows_.push_back({block, static_cast<int32_t>(row)});
    morsels_.push_back(blocks_[static_cast<size_t>(block)]->morsels[row]);
  }
  /// Returns a batch of the rows, flat and owning its bytes, and forgets them. Where it throws, it keeps them.
  /// @param morsels set to those of the rows; nullptr: nobody wants them
  columns::Batch emit(const std::shared_ptr<memory::Budget>& budget, std::vector<int64_t>* morsels);

 private:
  std::vector<std::shared_ptr<const SpilledBlock>> blocks_;
  std::vector<columns::PartRow> rows_;
  std::vector<int64_t> morsels_;
};

/// Slices of some runs that hold the next rows of their merge, and are yet to be merged. Keeps their blocks until their
/// rows are taken. One thread at a time.
class SpilledStretch {
 public:
  SpilledStretch() = default;
  /// @param slices of a run, in their order; not empty
  SpilledStretch(std::vector<SpilledSlice> slices, std::shared_ptr<const SpilledOrder> order);

  /// Returns how many rows are left.
  int64_t num_rows() const;
  /// Adds the next rows to `rows`, until it has `most_rows` or none is left.
  /// @throws Error Cancelled; then it is of no use any more
  void take(int64_t most_rows, OrderedRows& rows, const execution::Cancellation& cancellation);

 private:
  /// The next row of a run.
  struct Next {
    uint64_t word;  ///< which is compared first; 0: runs have none
    size_t slice;
  };

  bool is_before(const Next& lhs, const Next& rhs) const {
    return lhs.word != rhs.word ? lhs.word < rhs.word : is_tie_before(lhs.slice, rhs.slice);
  }
  /// Says so of rows whose words are the same.
  bool is_tie_before(size_t lhs, size_t rhs) const;
  uint64_t word_of(const SpilledSlice& slice) const {
    return slice.block->words ? slice.block->words->as<uint64_t>()[slice.begin] : 0;
  }
  /// Moves the first of the heap down to where it belongs.
  void sift_down();

  std::vector<SpilledSlice> slices_;  ///< what is left of them
  std::shared_ptr<const SpilledOrder> order_;
  std::vector<Next> heap_;  ///< the first row at the front
};

}  // namespace accelerant::operators
