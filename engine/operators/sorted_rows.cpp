#include "operators/sorted_rows.h"

#include "columns/gather_parts.h"
#include "operators/sorted_stretches.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace accelerant::operators {

using columns::Batch;
using columns::ColumnPtr;
using columns::PartRow;

namespace {

/// Batches that one worker merges one after the other, at most: enough rows to make up for finding out where they
/// begin.
constexpr int64_t kMostBatches = 8;

/// The morsel that a worker merges, and how far it is.
struct SortedRowsState final : State {
  std::optional<int64_t> morsel;
  int64_t next_row = 0;
  int64_t end_row = 0;
  int64_t sequence = 0;
  RunMerge::Position position;
};

/// Emits rows [begin, end) of a sort, in batches that are the same whatever part they are of, but for its ends.
class SortedRowsSource final : public Source {
 public:
  SortedRowsSource(std::shared_ptr<const SortedRows> rows, int64_t begin, int64_t end,
                   const execution::OperatorContext& ctx)
      : rows_(std::move(rows)), stretches_(rows_->num_rows(), begin, end, ctx.batch_rows, kMostBatches), ctx_(ctx) {}

  std::string_view name() const override { return "SortedRows"; }
  std::unique_ptr<State> make_state() override { return std::make_unique<SortedRowsState>(); }
  int64_t num_morsels() const override { return stretches_.num_morsels(); }

  Step next(State& state, Batch& out) override {
    auto& worker = static_cast<SortedRowsState&>(state);
    if (!worker.morsel) take_morsel(worker);
    out.morsel = *worker.morsel;
    if (out.morsel >= num_morsels()) return Step::finished();
    RunMerge::Position position = worker.position;
    const int64_t end = std::min((worker.next_row / ctx_.batch_rows + 1) * ctx_.batch_rows, worker.end_row);
    const std::vector<PartRow> rows = RunMerge(rows_->runs()).take(position, end - worker.next_row, *ctx_.cancellation);
    Batch batch = rows_->gather(rows);
    worker.position = std::move(position);
    worker.next_row = end;
    batch.morsel = batch.morsels_before = *worker.morsel;
    batch.sequence = worker.sequence++;
    batch.ends_morsel = end == worker.end_row;
    if (batch.ends_morsel) worker.morsel.reset();
    out = std::move(batch);
    return Step::has_output();
  }

 private:
  void take_morsel(SortedRowsState& worker) {
    worker.morsel = taken_.fetch_add(1, std::memory_order_relaxed);
    if (*worker.morsel >= num_morsels()) return;
    worker.next_row = stretches_.first_row(*worker.morsel);
    worker.end_row = stretches_.first_row(*worker.morsel + 1);
    worker.sequence = 0;
    worker.position = RunMerge(rows_->runs()).position_of(worker.next_row);
  }

  const std::shared_ptr<const SortedRows> rows_;
  const SortedStretches stretches_;
  const execution::OperatorContext ctx_;
  std::atomic<int64_t> taken_{0};
};

}  // namespace

SortedRows::SortedRows(SortedRuns runs, const execution::OperatorContext& ctx,
                       std::vector<std::shared_ptr<memory::PrepaidMemory>> memory)
    : runs_(std::move(runs)), ctx_(ctx), memory_(std::move(memory)) {
  for (const auto& run : runs_) num_rows_ += run->num_rows();
  // There is nothing to compare with.
  if (runs_.size() == 1) reclaim();
}

void SortedRows::reclaim() noexcept {
  for (const auto& run : runs_) run->drop_words();
  for (const auto& memory : memory_) memory->shrink();
}

int64_t SortedRows::part_begin(int index, int count) const {
  return num_rows_ == 0 ? 0 : part_begin(index, count, runs_.front()->key_order().keys().size());
}

int64_t SortedRows::part_begin(int index, int count, size_t num_keys) const {
  if (index == 0 || num_rows_ == 0) return 0;
  if (index == count) return num_rows_;
  return RunMerge(runs_).next_change(num_rows_ / count * index + num_rows_ % count * index / count, num_keys);
}

Batch SortedRows::gather(std::span<const PartRow> rows) const {
  std::vector<int> all(runs_.front()->columns().size());
  std::iota(all.begin(), all.end(), 0);
  Batch batch;
  batch.num_rows = static_cast<int64_t>(rows.size());
  batch.columns = gather(rows, all);
  return batch;
}

std::vector<ColumnPtr> SortedRows::gather(std::span<const PartRow> rows, std::span<const int> columns) const {
  std::vector<ColumnPtr> gathered;
  for (const int column : columns) {
    std::vector<ColumnPtr> parts;
    for (const auto& run : runs_) parts.push_back(run->columns()[static_cast<size_t>(column)]);
    gathered.push_back(columns::gather_parts(parts, rows, ctx_.budget));
  }
  return gathered;
}

std::unique_ptr<Source> SortedStageRows::make_source(int index, int count) const {
  return std::make_unique<SortedRowsSource>(rows_, rows_->part_begin(index, count), rows_->part_begin(index + 1, count),
                                            ctx_);
}

}  // namespace accelerant::operators
