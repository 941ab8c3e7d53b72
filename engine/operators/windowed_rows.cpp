#include "operators/windowed_rows.h"

#include "operators/sorted_stretches.h"
#include "operators/window_aggregates.h"
#include "operators/window_frames.h"
#include "operators/window_ranks.h"
#include "operators/window_rows.h"
#include "operators/window_values.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace accelerant::operators {

using columns::Batch;

namespace {

/// Batches of a morsel, at most: enough rows to make up for finding out where they begin.
constexpr int64_t kMostWindowBatches = 4;

WindowResult compute(const plan::WindowCall& call, const plan::Window& node, const WindowRows& rows,
                     const execution::OperatorContext& ctx) {
  if (is_rank(call.kind)) return compute_ranks(call, rows, ctx);
  if (call.kind == plan::WindowKind::Shift) return compute_shifted(call, rows, ctx);
  const WindowFrames frames = find_frames(call, node, rows, ctx);
  if (call.kind == plan::WindowKind::Aggregate) return compute_aggregate(call, rows, frames, ctx);
  return compute_frame_values(call, rows, frames, ctx);
}

/// The morsel that a worker computes, and how far it is.
struct WindowedRowsState final : State {
  std::optional<int64_t> morsel;
  std::optional<WindowRows> rows;     ///< those of the morsel
  std::vector<WindowResult> results;  ///< of the functions that were computed
  int32_t next_row = 0;
  int64_t sequence = 0;

  void start(int64_t number) {
    morsel = number;
    drop_rows();
    sequence = 0;
  }
  void drop_rows() {
    rows.reset();
    results.clear();
    next_row = 0;
  }
};

/// Computes rows [begin, end) of a sort, which are whole window partitions. A morsel has the partitions that begin in a
/// stretch of rows; stretches are the same whatever part they are of.
class WindowedRowsSource final : public Source {
 public:
  WindowedRowsSource(std::shared_ptr<const plan::Window> node, std::shared_ptr<const SortedRows> rows, int64_t begin,
                     int64_t end, const execution::OperatorContext& ctx)
      : node_(std::move(node)),
        rows_(std::move(rows)),
        stretches_(rows_->num_rows(), begin, end, ctx.batch_rows, kMostWindowBatches),
        ctx_(ctx) {}

  std::string_view name() const override { return "WindowedRows"; }
  std::unique_ptr<State> make_state() override { return std::make_unique<WindowedRowsState>(); }
  int64_t num_morsels() const override { return stretches_.num_morsels(); }

  Step next(State& state, Batch& out) override {
    auto& worker = static_cast<WindowedRowsState&>(state);
    if (!worker.morsel) worker.start(taken_.fetch_add(1, std::memory_order_relaxed));
    out.morsel = *worker.morsel;
    if (out.morsel >= num_morsels()) return Step::finished();
    const int64_t begin = morsel_begin(out.morsel);
    const int64_t end = morsel_begin(out.morsel + 1);
    if (begin < end) compute_morsel(worker, begin, end);
    Batch batch = begin < end ? read(worker) : no_rows();
    batch.morsel = batch.morsels_before = *worker.morsel;
    batch.sequence = worker.sequence++;
    worker.next_row += static_cast<int32_t>(batch.num_rows);
    batch.ends_morsel = worker.next_row == end - begin;
    if (batch.ends_morsel) {
      worker.drop_rows();
      worker.morsel.reset();
    }
    out = std::move(batch);
    return Step::has_output();
  }

 private:
  /// Returns the first row of the first window partition that begins in a morsel's stretch or behind it.
  int64_t morsel_begin(int64_t morsel) const {
    const int64_t first = stretches_.first_row(morsel);
    if (first == stretches_.begin() || first == stretches_.end()) return first;
    return RunMerge(rows_->runs()).next_change(first, node_->num_partition_keys);
  }

  /// Goes on from what was computed before the step had to wait.
  void compute_morsel(WindowedRowsState& worker, int64_t begin, int64_t end) const {
    if (!worker.rows) worker.rows.emplace(*node_, *rows_, begin, end, ctx_);
    while (worker.results.size() < node_->calls.size()) {
      worker.results.push_back(compute(node_->calls[worker.results.size()], *node_, *worker.rows, ctx_));
    }
  }

  /// Returns a batch for a morsel in whose stretch no window partition begins.
  Batch no_rows() const {
    Batch batch;
    const std::vector<columns::ColumnPtr>& columns = rows_->runs().front()->columns();
    for (const int column : node_->passed) batch.columns.push_back(columns[static_cast<size_t>(column)]->slice(0, 0));
    for (const plan::WindowCall& call : node_->calls) {
      batch.columns.push_back(columns::Column::nulls(call.result_type, 0, ctx_.budget));
    }
    return batch;
  }

  /// Returns the next rows of a morsel that is computed.
  Batch read(const WindowedRowsState& worker) const {
    const int32_t first = worker.next_row;
    Batch batch;
    batch.num_rows = std::min<int64_t>(ctx_.batch_rows, worker.rows->num_rows() - first);
    const auto wanted = std::span<const columns::PartRow>(worker.rows->rows.span())
                            .subspan(static_cast<size_t>(first), static_cast<size_t>(batch.num_rows));
    batch.columns = rows_->gather(wanted, node_->passed);
    for (const WindowResult& result : worker.results) {
      batch.columns.push_back(result.read(first, batch.num_rows, ctx_.budget));
      append_errors(result.errors, first, batch);
    }
    if (!batch.errors.empty()) leave_out_errors(batch);
    return batch;
  }

  /// Selects the rows that are not in error.
  static void leave_out_errors(Batch& batch) {
    std::ranges::stable_sort(batch.errors, {}, &columns::RowError::row);
    std::vector<int32_t> selected;
    auto next = batch.errors.begin();
    for (int32_t row = 0; row < batch.num_rows; ++row) {
      while (next != batch.errors.end() && next->row < row) ++next;
      if (next == batch.errors.end() || next->row != row) selected.push_back(row);
    }
    batch.selection = std::make_shared<const std::vector<int32_t>>(std::move(selected));
  }

  static void append_errors(const std::vector<columns::RowError>& errors, int32_t first, Batch& batch) {
    auto next = std::ranges::lower_bound(errors, first, {}, &columns::RowError::row);
    for (; next != errors.end() && next->row < first + batch.num_rows; ++next) {
      batch.errors.push_back(*next);
      batch.errors.back().row -= first;
    }
  }

  const std::shared_ptr<const plan::Window> node_;
  const std::shared_ptr<const SortedRows> rows_;
  const SortedStretches stretches_;
  const execution::OperatorContext ctx_;
  std::atomic<int64_t> taken_{0};
};

}  // namespace

std::unique_ptr<Source> WindowedStageRows::make_source(int index, int count) const {
  const size_t num_keys = node_->num_partition_keys;
  return std::make_unique<WindowedRowsSource>(node_, rows_, rows_->part_begin(index, count, num_keys),
                                              rows_->part_begin(index + 1, count, num_keys), ctx_);
}

}  // namespace accelerant::operators
