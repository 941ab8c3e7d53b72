#pragma once

#include "execution/context.h"
#include "expressions/evaluator.h"
#include "operators/join_table.h"
#include "operators/spilled_join_rows.h"
#include "plan/join.h"
#include "spill/spill_target.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace accelerant::operators {

/// The build side of a join of which something is on disk: which partitions are in memory, and the rows of the others.
/// Any thread, once it is handed on.
class SpilledBuild {
 public:
  /// @param rows all of the side
  SpilledBuild(std::shared_ptr<const plan::Join> node, std::shared_ptr<const SpilledJoinRows> rows,
               std::shared_ptr<spill::SpillTarget> target);

  /// Decides which partitions come into memory: those without rows, and others that take so many bytes together.
  void keep(int64_t bytes);
  void put_on_disk(int partition) { on_disk_[static_cast<size_t>(partition)] = rows_->num_rows(partition) > 0; }

  bool is_on_disk(int partition) const { return on_disk_[static_cast<size_t>(partition)]; }
  /// Says so of the partition that a key is in.
  bool has_on_disk(uint64_t hash) const { return is_on_disk(SpilledJoinRows::partition_of(hash)); }
  /// Returns the partitions on disk.
  std::vector<int> partitions() const;
  /// Estimates what the rows of a partition take in a table, and while it is made.
  int64_t table_bytes(int partition) const;

  const std::shared_ptr<const plan::Join>& node() const { return node_; }
  const SpilledJoinRows& rows() const { return *rows_; }
  const std::shared_ptr<spill::SpillTarget>& target() const { return target_; }

 private:
  const std::shared_ptr<const plan::Join> node_;
  const std::shared_ptr<const SpilledJoinRows> rows_;
  const std::shared_ptr<spill::SpillTarget> target_;
  std::array<bool, SpilledJoinRows::kPartitions> on_disk_{};
};

/// Reads build rows for a table. One thread.
class SpilledBuildReader {
 public:
  /// @param build that outlives it
  SpilledBuildReader(const SpilledBuild& build, std::span<const SpilledJoinRows::Block* const> blocks,
                     const KeyRange& keys, const execution::OperatorContext& ctx);

  /// Reads what is there. Returns what to wait for before it is called again; nullptr: all rows are read. Where it
  /// throws MemoryWait it may be called again.
  /// @throws Error Resource, of class kOutOfBudget, where they do not fit into memory
  execution::EventPtr read();
  /// Returns the rows, once all are read.
  std::vector<JoinTable::Chunk> take() { return std::move(chunks_); }

 private:
  const plan::Join& node_;
  const std::shared_ptr<memory::Budget> budget_;
  std::optional<expressions::Evaluator> evaluator_;  ///< of the keys; none: there are none
  SpilledJoinReader reader_;
  std::optional<columns::Batch> rows_;  ///< that are not a chunk yet
  std::vector<JoinTable::Chunk> chunks_;
};

/// Makes a chunk of a table of rows without errors, whose keys can't fail.
/// @param evaluator of the build keys; nullptr: there are none
JoinTable::Chunk make_chunk(const plan::Join& node, columns::Batch rows, expressions::Evaluator* evaluator,
                            const std::shared_ptr<memory::Budget>& budget);

}  // namespace accelerant::operators
