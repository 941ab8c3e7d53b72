#pragma once

#include "io/row_group_reader.h"
#include "operators/operator.h"

#include <atomic>
#include <memory>
#include <vector>

namespace accelerant::io {

/// Gives out the batches of row groups, each a morsel. Workers draw row groups from a counter, in order.
class ParquetSource final : public operators::Source {
 public:
  /// @param tasks in the order of their rows
  ParquetSource(std::shared_ptr<const ScanSpec> spec, std::vector<RowGroupTask> tasks, execution::OperatorContext ctx);

  std::string_view name() const override { return "ParquetScan"; }
  std::unique_ptr<operators::State> make_state() override;
  operators::Step next(operators::State& state, columns::Batch& out) override;
  int64_t num_morsels() const override { return static_cast<int64_t>(tasks_.size()); }

 private:
  struct Worker;

  bool take_morsel(Worker& worker);
  void count_file(const RowGroupTask& task);

  const std::shared_ptr<const ScanSpec> spec_;
  const std::vector<RowGroupTask> tasks_;
  const execution::OperatorContext ctx_;
  std::atomic<int64_t> next_task_{0};
};

}  // namespace accelerant::io
