#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "expressions/evaluator.h"
#include "memory/array.h"
#include "operators/join_table.h"
#include "operators/spilled_groups.h"
#include "plan/column_mask.h"
#include "plan/join.h"
#include "spill/block_reader.h"
#include "spill/block_writer.h"
#include "spill/spill_target.h"

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace accelerant::operators {

/// Rows of one side of a join in memory, with the hashes of their keys.
struct HashedRows {
  JoinTable::Chunk rows{};
  std::optional<memory::Array<uint64_t>> hashes = {};  ///< none: those of the chunk's keys

  uint64_t hash(int64_t row) const { return hashes ? (*hashes)[row] : rows.keys->hash(row); }
};

enum class JoinSide { Build, Probe };

/// Rows of one side of a join in files: blocks of the columns that are read, each of neighbouring slices of a partition
/// by the keys' hashes (GroupSlices). Any thread.
class SpilledJoinRows {
 public:
  static constexpr int kPartitions = GroupSlices::kPartitions;

  struct Block {
    spill::StoredBlock stored;
    KeyRange keys;
    int64_t num_rows;
  };

  /// Columns that nobody reads are not kept; they come back as nulls.
  SpilledJoinRows(std::shared_ptr<const plan::Join> node, JoinSide side);

  static int partition_of(uint64_t hash) { return GroupSlices::slice_of(hash) / GroupSlices::kOfPartition; }
  static KeyRange keys_of(int partition) {
    return {partition * KeyRange::kOfPartition, (partition + 1) * KeyRange::kOfPartition};
  }

  /// Writes rows, which stay; where it throws it has written none.
  /// @param writer to whose file blocks are added; nullptr: to a new one, whose writer it is then
  /// @param ctx whose memory it takes
  /// @param block_rows how many of them a block has at most
  void write(std::span<const HashedRows> rows, spill::SpillTarget& target, std::unique_ptr<spill::BlockWriter>& writer,
             const execution::OperatorContext& ctx, int64_t block_rows);

  // The next ones are called once all is written.

  int64_t num_rows(int partition) const { return partitions_[static_cast<size_t>(partition)].num_rows; }
  int64_t num_rows() const;
  int64_t num_bytes() const;
  /// Returns what the blocks of a partition take in memory.
  int64_t num_bytes(int partition) const { return partitions_[static_cast<size_t>(partition)].num_bytes; }
  /// Returns the blocks that may have rows of keys in a range, which lies in one partition.
  std::vector<const Block*> blocks(const KeyRange& keys) const;
  /// Returns the rows of a block that was read, as columns the side's.
  columns::Batch decode(const Block& block, const std::shared_ptr<memory::Buffer>& bytes,
                        const std::shared_ptr<memory::Budget>& budget) const;
  /// Returns the program of the side's keys; nullptr: there are none.
  const std::shared_ptr<const expressions::Program>& keys() const {
    return side_ == JoinSide::Build ? node_->build_keys() : node_->probe_keys();
  }
  const plan::Join& node() const { return *node_; }

 private:
  struct Partition {
    std::vector<Block> blocks;
    int64_t num_rows = 0;
    int64_t num_bytes = 0;
  };

  std::vector<Block> write_blocks(std::span<const HashedRows> rows, spill::BlockWriter& writer,
                                  const execution::OperatorContext& ctx, int64_t block_rows) const;

  const std::vector<plan::OutputColumn>& columns() const {
    return (side_ == JoinSide::Build ? node_->build_input() : node_->probe_input())->output;
  }

  const std::shared_ptr<const plan::Join> node_;
  const JoinSide side_;
  const plan::ColumnMask read_;
  std::vector<types::DataType> types_;  ///< of a block's columns
  std::mutex mutex_;                    ///< of the next one, while something is written
  std::array<Partition, kPartitions> partitions_;
};

/// Reads the rows of blocks whose keys are in a range, one block after the other. One thread.
class SpilledJoinReader {
 public:
  /// @param rows that outlive it
  SpilledJoinReader(const SpilledJoinRows& rows, std::span<const SpilledJoinRows::Block* const> blocks,
                    const KeyRange& range, const execution::OperatorContext& ctx, spill::IoThreads& threads);

  /// Returns what to wait for before `next` is called; nullptr: nothing. What it throws changes nothing.
  execution::EventPtr start_next() { return reader_.start_front(); }
  /// Returns the rows of the next block, perhaps none, or nullopt at the end. Where it throws MemoryWait it may be
  /// called again.
  std::optional<columns::Batch> next();

 private:
  /// Leaves the rows whose keys are in the range.
  columns::Batch choose(const columns::Batch& rows);

  const SpilledJoinRows& rows_;
  const std::vector<const SpilledJoinRows::Block*> blocks_;
  const KeyRange range_;
  const execution::OperatorContext& ctx_;
  std::optional<expressions::Evaluator> evaluator_;  ///< of keys, once they are asked for
  JoinKeys keys_;
  spill::BlockReader reader_;
  size_t next_ = 0;  ///< of the blocks
};

}  // namespace accelerant::operators
