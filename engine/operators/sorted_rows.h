#pragma once

#include "execution/context.h"
#include "memory/budget.h"
#include "memory/prepaid_memory.h"
#include "operators/run_merge.h"
#include "operators/stage_results.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::operators {

/// The sorted runs of all workers, merged by the sources that read them: no row is held twice. Where memory is short it
/// gives back the words by which keys are compared faster.
class SortedRows final : public memory::MemoryReclaimer {
 public:
  /// @param runs none of them empty
  /// @param memory that they draw from, if it is theirs alone
  SortedRows(SortedRuns runs, const execution::OperatorContext& ctx,
             std::vector<std::shared_ptr<memory::PrepaidMemory>> memory = {});

  int64_t num_rows() const { return num_rows_; }
  const SortedRuns& runs() const { return runs_; }
  /// Returns which row part `index` of `count` begins with: parts have about as many rows each, and none begins with a
  /// row that has the keys of the row before. Rows of equal keys may come in another order in another run.
  int64_t part_begin(int index, int count) const;
  /// Likewise; none begins with a row that has the same in the first keys as the row before.
  int64_t part_begin(int index, int count, size_t num_keys) const;
  /// Returns rows of the runs as a batch.
  columns::Batch gather(std::span<const columns::PartRow> rows) const;
  /// Returns some flat columns of rows of the runs, at least one.
  std::vector<columns::ColumnPtr> gather(std::span<const columns::PartRow> rows, std::span<const int> columns) const;

  void reclaim() noexcept override;

 private:
  const SortedRuns runs_;
  const execution::OperatorContext ctx_;
  const std::vector<std::shared_ptr<memory::PrepaidMemory>> memory_;
  int64_t num_rows_ = 0;
};

/// Sorted rows as other stages read them.
class SortedStageRows final : public StageRows {
 public:
  SortedStageRows(std::shared_ptr<const SortedRows> rows, const execution::OperatorContext& ctx)
      : rows_(std::move(rows)), ctx_(ctx) {}

  std::unique_ptr<Source> make_source(int index, int count) const override;

 private:
  const std::shared_ptr<const SortedRows> rows_;
  const execution::OperatorContext ctx_;
};

}  // namespace accelerant::operators
