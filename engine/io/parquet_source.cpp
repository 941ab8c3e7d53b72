#include "io/parquet_source.h"

#include <optional>
#include <utility>

namespace accelerant::io {

using columns::Batch;
using operators::Step;

struct ParquetSource::Worker final : operators::State {
  Worker(const ScanSpec& spec, const execution::OperatorContext& ctx)
      : pool(ctx.budget), filters(make_filters(spec, ctx.budget)) {}

  ArrowPool pool;
  std::vector<ScanFilter> filters;
  std::optional<RowGroupReader> reader;
  int64_t morsel = 0;
  int64_t sequence = 0;
};

ParquetSource::ParquetSource(std::shared_ptr<const ScanSpec> spec, std::vector<RowGroupTask> tasks,
                             execution::OperatorContext ctx)
    : spec_(std::move(spec)), tasks_(std::move(tasks)), ctx_(std::move(ctx)) {}

std::unique_ptr<operators::State> ParquetSource::make_state() { return std::make_unique<Worker>(*spec_, ctx_); }

/// Counts a file at its first row group; a file's row groups stand together.
void ParquetSource::count_file(const RowGroupTask& task) {
  const bool is_first = &task == tasks_.data() || (&task)[-1].file != task.file;
  if (ctx_.metrics && is_first) ++ctx_.metrics->input_files;
}

bool ParquetSource::take_morsel(Worker& worker) {
  worker.morsel = next_task_.fetch_add(1, std::memory_order_relaxed);
  worker.sequence = 0;
  if (worker.morsel >= num_morsels()) return false;
  const RowGroupTask& task = tasks_[static_cast<size_t>(worker.morsel)];
  count_file(task);
  worker.reader.emplace(*spec_, task, worker.filters, &worker.pool, ctx_);
  return true;
}

Step ParquetSource::next(operators::State& state, Batch& out) {
  auto& worker = static_cast<Worker&>(state);
  ctx_.cancellation->check();
  if (!worker.reader && !take_morsel(worker)) return Step::finished();
  std::optional<Batch> batch = worker.reader->next();
  out = batch ? std::move(*batch) : worker.reader->empty_batch();
  out.morsel = worker.morsel;
  out.sequence = worker.sequence++;
  out.ends_morsel = worker.reader->at_end();
  if (out.ends_morsel) worker.reader.reset();
  return Step::has_output();
}

}  // namespace accelerant::io
