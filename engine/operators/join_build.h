#pragma once

#include "execution/context.h"
#include "operators/built_side.h"
#include "operators/join_table.h"
#include "operators/stage_results.h"
#include "plan/join.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace accelerant::operators {

/// Takes in the build side of a join: its columns that are read, and constant nulls in the place of others.
class JoinBuild final : public Breaker {
 public:
  /// @throws Error Unsupported for keys of a type that can't be hashed
  JoinBuild(std::shared_ptr<const plan::Join> node, const execution::OperatorContext& ctx);

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
  void make_table();

  const std::shared_ptr<const plan::Join> node_;
  const execution::OperatorContext ctx_;
  const plan::ColumnMask columns_read_;
  std::atomic<bool> has_rows_{false};
  std::atomic<bool> has_null_key_{false};
  std::mutex mutex_;
  std::vector<JoinTable::Chunk> chunks_;
  int num_workers_ = 0;               ///< that have combined
  std::unique_ptr<JoinTable> table_;  ///< until it is handed on
};

/// Returns the types of a join's keys.
std::vector<types::DataType> key_types_of(const plan::Join& join);

}  // namespace accelerant::operators
