#include "operators/windowed_rows.h"

#include "operators/sorted_stretches.h"
#include "operators/windowed_morsel.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <string_view>

namespace accelerant::operators {

using columns::Batch;

namespace {

/// The morsel that a worker computes, and how far it is.
struct WindowedRowsState final : State {
  std::optional<int64_t> morsel;
  std::optional<WindowedMorsel> rows;  ///< of the morsel
  int64_t sequence = 0;

  void start(int64_t number) {
    morsel = number;
    rows.reset();
    sequence = 0;
  }
};

/// Returns the first row of the first window partition that begins in a morsel's stretch or behind it.
int64_t first_row_of_morsel(const SortedRuns& runs, const SortedStretches& stretches, int64_t morsel, size_t num_keys) {
  const int64_t first = stretches.first_row(morsel);
  if (first == stretches.begin() || first == stretches.end()) return first;
  return RunMerge(runs).next_change(first, num_keys);
}

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
    // Goes on from what was computed before the step had to wait.
    if (begin < end && !worker.rows) worker.rows.emplace(WindowRows(*node_, *rows_, begin, end, ctx_));
    if (worker.rows) worker.rows->compute(*node_, ctx_);
    Batch batch = worker.rows ? worker.rows->next(*node_, ctx_)
                              : no_windowed_rows(*node_, rows_->runs().front()->columns(), ctx_);
    batch.morsel = batch.morsels_before = *worker.morsel;
    batch.sequence = worker.sequence++;
    batch.ends_morsel = !worker.rows || worker.rows->is_emitted();
    if (batch.ends_morsel) {
      worker.rows.reset();
      worker.morsel.reset();
    }
    out = std::move(batch);
    return Step::has_output();
  }

 private:
  int64_t morsel_begin(int64_t morsel) const {
    return first_row_of_morsel(rows_->runs(), stretches_, morsel, node_->num_partition_keys);
  }

  const std::shared_ptr<const plan::Window> node_;
  const std::shared_ptr<const SortedRows> rows_;
  const SortedStretches stretches_;
  const execution::OperatorContext ctx_;
  std::atomic<int64_t> taken_{0};
};

}  // namespace

int64_t most_rows_of_morsel(const SortedRuns& runs, size_t num_keys, int64_t num_rows,
                            const execution::OperatorContext& ctx) {
  if (num_keys == 0) return num_rows;
  const SortedStretches stretches(num_rows, 0, num_rows, ctx.batch_rows, kMostWindowBatches);
  int64_t most = 0;
  int64_t begin = 0;
  for (int64_t morsel = 1; morsel <= stretches.num_morsels(); ++morsel) {
    ctx.cancellation->check();
    const int64_t end = first_row_of_morsel(runs, stretches, morsel, num_keys);
    most = std::max(most, end - begin);
    begin = end;
  }
  return most;
}

std::unique_ptr<Source> WindowedStageRows::make_source(int index, int count) const {
  const size_t num_keys = node_->num_partition_keys;
  return std::make_unique<WindowedRowsSource>(node_, rows_, rows_->part_begin(index, count, num_keys),
                                              rows_->part_begin(index + 1, count, num_keys), ctx_);
}

}  // namespace accelerant::operators
