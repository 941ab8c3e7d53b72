#pragma once

#include "columns/batch.h"
#include "execution/context.h"
#include "operators/row_pieces.h"
#include "operators/stage_results.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace accelerant::operators {

/// Rows that a pipeline breaker has put in order: batches without selection or errors that own their bytes.
struct BufferedRows {
  std::vector<columns::Batch> batches;
};

/// Returns the batches' columns one after the other; at least one batch, none with a selection.
/// @throws Error Cancelled
std::vector<columns::ColumnPtr> concatenate_columns(const std::vector<columns::Batch>& batches,
                                                    const execution::OperatorContext& ctx);

/// Appends some rows of columns, in the given order, in batches of `ctx.batch_rows`.
/// @throws Error Cancelled
void append_rows(BufferedRows& result, const std::vector<columns::ColumnPtr>& columns, std::span<const int32_t> rows,
                 const execution::OperatorContext& ctx);

/// Emits part `index` of `count` of buffered rows, a morsel for what it has of a batch.
class BufferedRowsSource final : public Source {
 public:
  BufferedRowsSource(std::shared_ptr<const BufferedRows> rows, int index, int count);

  std::string_view name() const override { return "BufferedRows"; }
  std::unique_ptr<State> make_state() override { return std::make_unique<State>(); }
  Step next(State& state, columns::Batch& out) override;
  int64_t num_morsels() const override;

 private:
  const std::shared_ptr<const BufferedRows> rows_;
  const PiecePlace first_;
  const PiecePlace end_;
  std::atomic<size_t> taken_{0};
};

/// Buffered rows as other stages read them.
class BufferedStageRows final : public StageRows {
 public:
  explicit BufferedStageRows(std::shared_ptr<const BufferedRows> rows) : rows_(std::move(rows)) {}

  std::unique_ptr<Source> make_source(int index, int count) const override {
    return std::make_unique<BufferedRowsSource>(rows_, index, count);
  }

 private:
  const std::shared_ptr<const BufferedRows> rows_;
};

}  // namespace accelerant::operators
