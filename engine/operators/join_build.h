#pragma once

#include "execution/context.h"
#include "expressions/key_set.h"
#include "operators/join_table.h"
#include "operators/operator.h"
#include "plan/join.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace accelerant::operators {

/// What probes need of a built side.
struct JoinBuilt {
  std::unique_ptr<JoinTable> table;
  bool has_rows = false;      ///< rows with null keys included
  bool has_null_key = false;  ///< some row's key is null
};

/// Takes in the build side of a join: its columns that are read, and constant nulls in the place of others.
class JoinBuild final : public Breaker {
 public:
  /// @throws Error Unsupported for keys of a type that can't be hashed
  JoinBuild(std::shared_ptr<const plan::Join> node, const execution::OperatorContext& ctx);

  std::string_view name() const override { return "JoinBuild"; }
  std::unique_ptr<State> make_state() override;
  Step consume(State& state, columns::Batch& in) override;
  void combine(State& state) override;
  void finish() override;
  int64_t num_finish_tasks() const override { return result_->table->num_finish_tasks(); }
  void run_finish_task(int64_t task) override { result_->table->run_finish_task(task); }
  /// Emits build rows that probes marked, or those that they did not; only when all probes have passed.
  std::unique_ptr<Source> make_source(int index, int count) const override;

  const std::shared_ptr<JoinBuilt>& result() const { return result_; }
  /// Returns the values of a key in the rows held, once the table is made; the first caller has it computed. nullptr:
  /// there are too many of them, or too little memory. Any thread.
  std::shared_ptr<const expressions::KeySet> keys_in(int key);

 private:
  void drop_unread(columns::Batch& rows) const;
  std::shared_ptr<const expressions::KeySet> make_key_set(int key) const;

  const std::shared_ptr<const plan::Join> node_;
  const execution::OperatorContext ctx_;
  const plan::ColumnMask columns_read_;
  const std::shared_ptr<JoinBuilt> result_;
  std::atomic<bool> has_rows_{false};
  std::atomic<bool> has_null_key_{false};
  std::mutex mutex_;
  std::vector<JoinTable::Chunk> chunks_;
  std::vector<memory::Reservation> key_bytes_;  ///< of the chunks, by worker
  std::unordered_map<int, std::shared_ptr<const expressions::KeySet>> key_sets_;
};

/// Returns the types of a join's keys.
std::vector<types::DataType> key_types_of(const plan::Join& join);

}  // namespace accelerant::operators
