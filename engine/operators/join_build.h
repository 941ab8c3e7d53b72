#pragma once

#include "execution/context.h"
#include "execution/event.h"
#include "operators/built_side.h"
#include "operators/join_rows_spill.h"
#include "operators/join_table.h"
#include "operators/spilled_build.h"
#include "operators/stage_results.h"
#include "plan/join.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::operators {

/// Takes in the build side of a join: its columns that are read, and constant nulls in the place of others. Where
/// memory is short rows go to disk, and as many partitions of them as fit come back when all are there (SpilledBuild).
class JoinBuild final : public Breaker {
 public:
  /// @throws Error Unsupported for keys of a type that can't be hashed
  JoinBuild(std::shared_ptr<const plan::Join> node, const execution::OperatorContext& ctx,
            std::shared_ptr<spill::SpillTarget> target);

  std::string_view name() const override { return "JoinBuild"; }
  std::unique_ptr<State> make_state() override;
  Step consume(State& state, columns::Batch& in) override;
  Step combine(State& state) override;
  Step finish() override;
  int64_t num_finish_tasks() const override { return table_ ? table_->num_finish_tasks() : 0; }
  Step run_finish_task(int64_t task) override;
  /// Hands on the built side and, where the join emits them, the build rows that probes marked, or those that they did
  /// not, to be read when all probes have passed.
  void hand_on(const plan::Node& node, StageResults& results) override;

 private:
  void drop_unread(columns::Batch& rows) const;
  bool is_copied(const columns::Batch& rows, size_t column) const;
  /// Makes what is held of rows, in memory that is charged to a budget: none where nothing can match them.
  HashedRows hold(columns::Batch rows, columns::Batch keys, const std::shared_ptr<memory::Budget>& budget);
  /// Says whether rows can stay in memory, and leave some to who reads them.
  bool fits(std::span<const HashedRows* const> rows, int64_t prepaid_bytes) const;
  /// Makes the table of all rows, or of those that come back from disk. Returns what to wait for before it is called
  /// again; nullptr: the table is made.
  execution::EventPtr make_table();
  /// Has the rows of the next partition come back, or leaves them on disk where they do not fit. Returns what to wait
  /// for before it is called again; nullptr: that is done.
  execution::EventPtr read_partition();
  void make_table(std::vector<JoinTable::Chunk> chunks);
  /// Makes a table of fewer rows, as there is no memory for one of these.
  void give_up_table();

  const std::shared_ptr<const plan::Join> node_;
  const execution::OperatorContext ctx_;
  const plan::ColumnMask columns_read_;
  std::atomic<bool> has_rows_{false};
  std::atomic<bool> has_null_key_{false};
  const std::shared_ptr<SpilledJoinRows> written_;
  const std::shared_ptr<JoinRowsSpill> spill_;
  std::shared_ptr<SpilledBuild> spilled_;       ///< nullptr: all rows are in memory
  std::vector<JoinTable::Chunk> chunks_;        ///< that have come back
  int next_partition_ = 0;                      ///< to come back
  std::unique_ptr<SpilledBuildReader> reader_;  ///< of that partition
  std::unique_ptr<JoinTable> table_;            ///< until it is handed on
};

/// Returns the types of a join's keys.
std::vector<types::DataType> key_types_of(const plan::Join& join);

}  // namespace accelerant::operators
