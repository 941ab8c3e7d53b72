#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "operators/key_packing.h"
#include "operators/sort_keys.h"
#include "spill/block_writer.h"
#include "spill/spill_file.h"
#include "spill/spill_target.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace accelerant::operators {

/// Rows of a block of a spilled run, in memory again.
struct SpilledBlock {
  std::vector<columns::ColumnPtr> columns;  ///< flat
  const int64_t* morsels = nullptr;         ///< of each row
  memory::BufferPtr words;                  ///< of the packed keys, or the first key's; nullptr: there are none
  int64_t num_rows = 0;
};

class SpilledRun;
using SpilledRunPtr = std::shared_ptr<const SpilledRun>;

/// Spilled runs of one sort. Of a worker's, the earlier come first.
using SpilledRuns = std::vector<SpilledRunPtr>;

/// How rows of some runs are compared.
class SpilledOrder {
 public:
  SpilledOrder(std::shared_ptr<const KeyOrder> keys, const SpilledRuns& runs);

  const KeyOrder& keys() const { return *keys_; }
  /// Compares two rows by their first keys: negative, 0, positive.
  int compare(const SpilledBlock& lhs, int64_t lhs_row, const SpilledBlock& rhs, int64_t rhs_row,
              size_t num_keys) const;
  /// Returns the words of a block's rows, as SpilledBlock has them.
  memory::BufferPtr words_of(const std::vector<columns::ColumnPtr>& columns, int64_t num_rows,
                             const std::shared_ptr<memory::Budget>& budget) const;

 private:
  const std::shared_ptr<const KeyOrder> keys_;
  const KeyPacking packing_;
};

/// Rows in the order of their keys, in blocks of a file. Immutable; any thread.
class SpilledRun {
 public:
  struct Block {
    spill::BlockExtent place;
    int64_t first_row;
    int64_t num_rows;
  };

  int64_t num_rows() const { return num_rows_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  /// Returns which block a row is in.
  size_t block_of(int64_t row) const;
  /// Returns the bytes of its largest block.
  int64_t largest_block() const;
  /// Returns the first rows of all blocks, of which only keys are there.
  const SpilledBlock& first_rows() const { return first_rows_; }

  /// Begins to read a block into memory of a budget.
  std::shared_ptr<spill::BlockRead> start_read(size_t block, const std::shared_ptr<memory::Budget>& budget,
                                               spill::IoThreads& threads) const;
  /// Returns the rows of a block that was read.
  SpilledBlock decode(const std::shared_ptr<memory::Buffer>& bytes, const SpilledOrder& order,
                      const std::shared_ptr<memory::Budget>& budget) const;
  const KeySpans& key_spans() const { return key_spans_; }

 private:
  friend class SpilledRunWriter;
  SpilledRun() = default;

  std::shared_ptr<spill::SpillFile> file_;
  std::vector<types::DataType> types_;  ///< of the columns, and of the morsels behind them
  std::vector<Block> blocks_;
  int64_t num_rows_ = 0;
  SpilledBlock first_rows_;
  KeySpans key_spans_;
};

/// Writes sorted rows as a run, a block after the other. One thread.
class SpilledRunWriter {
 public:
  /// Makes a run of the blocks that `write` gives to a writer; where a folder fails it is called again for another one.
  /// @param spans of the keys of its rows
  /// @param budget of blocks on their way, and of what the run keeps in memory
  /// @throws Error Resource, of class kOutOfBudget, naming all folders and why they failed
  static SpilledRunPtr write(spill::SpillTarget& target, const KeyOrder& order, const KeySpans& spans,
                             const std::shared_ptr<memory::Budget>& budget,
                             const std::function<void(SpilledRunWriter&)>& write);

  /// Writes a block.
  /// @param columns flat, at least one row
  /// @param morsels of each row
  void add(const std::vector<columns::ColumnPtr>& columns, std::vector<int64_t> morsels);

 private:
  SpilledRunWriter(spill::SpillTarget& target, const KeyOrder& order, const KeySpans& spans,
                   std::shared_ptr<memory::Budget> budget);
  void keep_first_row(const std::vector<columns::ColumnPtr>& columns);
  SpilledRunPtr finish();

  const KeyOrder& order_;
  const std::shared_ptr<memory::Budget> budget_;
  spill::BlockWriter writer_;
  std::shared_ptr<SpilledRun> run_;
  std::vector<std::vector<columns::ColumnPtr>> first_rows_;  ///< by key column
};

}  // namespace accelerant::operators
