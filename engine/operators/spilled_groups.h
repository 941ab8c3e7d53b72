#pragma once

#include "operators/group_set.h"
#include "operators/state_rows.h"
#include "spill/block_reader.h"
#include "spill/block_writer.h"
#include "spill/spill_target.h"
#include "types/data_type.h"

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace accelerant::operators {

/// A part of all keys: those whose hashes' highest bits lie in [begin, end).
struct KeyRange {
  /// As many bits count.
  static constexpr int kBits = 28;
  static constexpr int64_t kOfSlice = int64_t{1} << (kBits - GroupSlices::kBits);
  static constexpr int64_t kOfPartition = kOfSlice * GroupSlices::kOfPartition;

  int64_t begin;
  int64_t end;

  int64_t width() const { return end - begin; }
  /// Returns the keys of slices [first, last).
  static KeyRange of_slices(int first, int last) { return {first * kOfSlice, last * kOfSlice}; }

  bool has(uint64_t hash) const {
    const auto place = static_cast<int64_t>(hash >> (64 - kBits));
    return begin <= place && place < end;
  }
  bool has(const KeyRange& other) const { return begin <= other.begin && other.end <= end; }
};

/// Groups of an aggregate in files: blocks of the columns [keys..., states of each call...], each of neighbouring
/// slices of a partition. A key may stand in several blocks. Any thread.
class SpilledGroups {
 public:
  explicit SpilledGroups(std::shared_ptr<const plan::Aggregate> node);

  /// Where groups are written: to the file of a writer, or to a new one, whose writer it is then.
  struct To {
    spill::SpillTarget& target;
    std::unique_ptr<spill::BlockWriter>& writer;
    int64_t block_groups;  ///< how many of them a block has at most
  };
  /// Writes all groups of some sets, which stay; where it throws it has written none.
  /// @param ctx whose memory it takes
  /// @param memory_bytes that they take in memory
  void write(std::span<const GroupSet* const> sets, const To& to, const execution::OperatorContext& ctx,
             int64_t memory_bytes);
  /// Writes rows likewise, each as a group.
  /// @param memory_bytes that so many groups take in memory
  void write(std::span<const StateRows> rows, const To& to, const execution::OperatorContext& ctx,
             int64_t memory_bytes);
  /// Returns what all groups that were written took in memory: those of a key in each set that has it.
  int64_t memory_bytes() const { return memory_bytes_; }

  /// Returns what `read` takes for few groups.
  int64_t least_bytes() const { return 2 * least_bytes_of(*node_); }

 private:
  friend class SpilledGroupsReader;

  struct Block {
    int64_t partition() const { return keys.begin / KeyRange::kOfPartition; }

    spill::StoredBlock stored;
    KeyRange keys;
    int64_t num_groups;
  };

  std::vector<Block> write_blocks(std::span<const GroupSet* const> sets, const To& to,
                                  const execution::OperatorContext& ctx);
  std::vector<Block> write_blocks(std::span<const StateRows> rows, const To& to, const execution::OperatorContext& ctx);
  /// Waits for blocks to be written, and says of each where it is.
  static void place(std::vector<Block>& blocks, spill::BlockWriter& writer);
  /// Notes blocks that are written.
  void add(std::vector<Block> blocks, int64_t memory_bytes);
  /// Writes the groups of a partition that a set has; their blocks have no places yet.
  void write(const GroupSet& set, const SlicedGroups& sliced, int partition, const execution::OperatorContext& ctx,
             const To& to, std::vector<Block>& blocks);
  /// Returns groups as columns.
  /// @param set of these alone, not sealed yet
  std::vector<columns::ColumnPtr> columns_of(GroupSet set, const execution::OperatorContext& ctx);
  void note_columns(const std::vector<columns::ColumnPtr>& columns, std::vector<size_t> num_states);
  const std::shared_ptr<const plan::Aggregate> node_;

  std::mutex mutex_;                    ///< of the next ones, while something is written
  std::vector<types::DataType> types_;  ///< of the columns
  std::vector<size_t> num_states_;      ///< columns of each call
  std::array<std::vector<Block>, GroupSlices::kPartitions> blocks_;
  int64_t memory_bytes_ = 0;
};

/// Reads the groups of a partition whose keys are in a range, block after block. One thread.
class SpilledGroupsReader {
 public:
  /// @param groups that outlive it, once all are written
  /// @param may_expect_new whether the first ones tell how many merge: not where large sets have the same keys
  /// @param ctx whose memory they take
  SpilledGroupsReader(const SpilledGroups& groups, int partition, const KeyRange& keys, bool may_expect_new,
                      const execution::OperatorContext& ctx, spill::IoThreads& threads);

  /// Reads what is there. Returns what to wait for before it is called again; nullptr: all groups are read. Where it
  /// throws, this is of no further use.
  /// @throws Error Resource, of class kOutOfBudget, where the groups do not fit into memory
  execution::EventPtr read();
  /// Returns a sealed set of the groups, once all are read.
  GroupSet take();
  const KeyRange& keys() const { return keys_; }
  /// Returns the most memory that reading took.
  int64_t peak_bytes() const { return ctx_.budget->peak_bytes(); }

 private:
  std::vector<spill::StoredBlock> choose_blocks(int partition);
  /// Adds the groups of a block whose keys are in the range.
  void merge(const SpilledGroups::Block& block, const std::shared_ptr<memory::Buffer>& bytes);
  /// Makes room for all groups, once, where few of those that were read merged.
  void expect_groups();

  const SpilledGroups& groups_;
  const KeyRange keys_;
  const execution::OperatorContext ctx_;
  KeyEncoder encoder_;
  GroupSet set_;
  std::vector<const SpilledGroups::Block*> blocks_;
  size_t next_ = 0;              ///< of the blocks
  int64_t expected_groups_ = 0;  ///< of all blocks, in the range
  int64_t num_merged_ = 0;       ///< of those, how many were added
  bool may_expect_new_;          ///< whether it is still to be seen if few of them merge
  spill::BlockReader reader_;
};

}  // namespace accelerant::operators
