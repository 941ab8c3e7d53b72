#include "io/parquet_scan.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace accelerant::io {

using columns::Batch;

class ParquetScan::Worker final : public ScanWorker {
 public:
  explicit Worker(ParquetScan& scan)
      : scan_(scan), state_{make_filters(*scan.spec_, scan.ctx_), KeyFiltering(scan.ctx_.key_filters), {}, {}} {}

  bool next(Batch& out) override {
    scan_.ctx_.cancellation->check();
    if (!reader_ && !start_morsel(out)) return false;
    out.morsel = morsel_;
    std::optional<Batch> batch = reader_->next();
    out = batch ? std::move(*batch) : reader_->empty_batch();
    out.morsel = morsel_;
    out.sequence = sequence_++;
    out.ends_morsel = reader_->at_end();
    if (out.ends_morsel) reader_.reset();
    return true;
  }

 private:
  bool start_morsel(Batch& out) {
    out.morsel = morsel_ = scan_.take_task();
    if (morsel_ >= scan_.num_morsels()) return false;
    sequence_ = 0;
    reader_.emplace(*scan_.spec_, scan_.tasks_[static_cast<size_t>(morsel_)], state_, scan_.ctx_);
    return true;
  }

  ParquetScan& scan_;
  ScanState state_;
  std::optional<RowGroupReader> reader_;
  int64_t morsel_ = 0;
  int64_t sequence_ = 0;
};

ParquetScan::ParquetScan(std::shared_ptr<const ScanSpec> spec, std::vector<RowGroupTask> tasks,
                         execution::OperatorContext ctx)
    : spec_(std::move(spec)), tasks_(std::move(tasks)), ctx_(std::move(ctx)) {}

std::unique_ptr<ScanWorker> ParquetScan::make_worker() { return std::make_unique<Worker>(*this); }

/// Counts a file at its first row group; a file's row groups stand together.
void ParquetScan::count_file(const RowGroupTask& task) {
  const bool is_first = &task == tasks_.data() || (&task)[-1].file != task.file;
  if (ctx_.metrics && is_first) ++ctx_.metrics->input_files;
}

int64_t ParquetScan::take_task() {
  const int64_t task = std::min(next_task_.fetch_add(1, std::memory_order_relaxed), num_morsels());
  if (task < num_morsels()) count_file(tasks_[static_cast<size_t>(task)]);
  return task;
}

}  // namespace accelerant::io
