#include "io/line_scan.h"

#include "base/error.h"
#include "io/file_splits.h"
#include "io/key_filtering.h"
#include "io/line_reader.h"
#include "io/most_batch_rows.h"
#include "io/scan_filter.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace accelerant::io {

using columns::Batch;
using columns::Column;

class LineScan::Worker final : public ScanWorker {
 public:
  explicit Worker(LineScan& scan)
      : scan_(scan),
        parser_(scan.format_.make_parser(*scan.spec_, scan.ctx_)),
        filters_(make_filters(*scan.spec_, scan.ctx_)),
        key_filters_(scan.ctx_.key_filters) {}

  bool next(Batch& out) override {
    scan_.ctx_.cancellation->check();
    const bool is_there = !has_ended_ || start();
    if (is_there) out = read();
    out.morsel = number_;
    return is_there;
  }

 private:
  bool start();
  Batch read();
  void open();
  void add_constants(Batch& batch);
  void filter(Batch& batch);
  void drop_filter_columns(Batch& batch);

  const LineTask& task() const { return scan_.tasks_[static_cast<size_t>(number_)]; }

  LineScan& scan_;
  const std::unique_ptr<LineParser> parser_;
  std::vector<ScanFilter> filters_;
  KeyFiltering key_filters_;
  std::optional<LineReader> reader_;
  std::optional<LineBlock> block_;  ///< lines that were read, but are no rows yet
  int64_t number_ = 0;
  int64_t sequence_ = 0;
  bool was_taken_ = false;
  bool has_ended_ = true;
};

/// Goes to the next part, as this one is done; false where there is none left.
bool LineScan::Worker::start() {
  if (was_taken_ && scan_.ctx_.metrics) ++scan_.ctx_.metrics->morsels_done;
  number_ = scan_.take_task();
  sequence_ = 0;
  was_taken_ = number_ < scan_.num_morsels();
  has_ended_ = !was_taken_;
  return was_taken_;
}

void LineScan::Worker::open() {
  if (reader_) return;
  reader_.emplace(open_bytes(task().split->path, task().start, scan_.ctx_.budget), task().start, task().end,
                  scan_.format_.separator, scan_.ctx_.budget);
}

Batch LineScan::Worker::read() {
  open();
  const int64_t max_lines = most_batch_rows(scan_.ctx_);
  if (!block_) {
    block_ = reader_->next(max_lines);
    block_->starts_split = block_->starts_part && task().start == task().split->start;
    block_->is_cut_off = reader_->at_end() && task().end < task().split->start + task().split->length;
  }
  Batch batch = parser_->parse(*block_);
  if (scan_.ctx_.metrics) scan_.ctx_.metrics->input_rows += batch.num_rows;
  add_constants(batch);
  filter(batch);
  drop_filter_columns(batch);
  block_.reset();
  batch.sequence = sequence_++;
  batch.morsels_before = number_ - scan_.partition_starts_[static_cast<size_t>(number_)];
  batch.ends_morsel = has_ended_ = reader_->at_end();
  if (has_ended_) reader_.reset();
  return batch;
}

/// Puts in what says the same of all rows of a file.
void LineScan::Worker::add_constants(Batch& batch) {
  for (size_t i = 0; i < scan_.spec_->columns.size(); ++i) {
    const int partition = scan_.spec_->columns[i].partition_index;
    if (partition < 0) continue;
    batch.columns[i] = Column::constant(task().split->partition_values[static_cast<size_t>(partition)], batch.num_rows);
  }
}

void LineScan::Worker::filter(Batch& batch) {
  for (ScanFilter& filter : filters_) {
    batch = filter.evaluator.filter(std::move(batch));
    if (batch.num_selected() == 0 && batch.errors.empty()) return;
  }
  for (size_t i = 0; i < key_filters_.size(); ++i) {
    if (key_filters_.is_active(i)) key_filters_.apply(i, batch);
  }
}

void LineScan::Worker::drop_filter_columns(Batch& batch) {
  for (size_t i = 0; i < batch.columns.size(); ++i) {
    if (scan_.spec_->columns[i].filter_only) batch.columns[i] = nullptr;
  }
}

LineScan::LineScan(std::shared_ptr<const ScanSpec> spec, LineFormat format, std::vector<LineTask> tasks,
                   int64_t num_pruned, execution::OperatorContext ctx)
    : spec_(std::move(spec)),
      format_(std::move(format)),
      tasks_(std::move(tasks)),
      ctx_(std::move(ctx)),
      partition_starts_(partition_starts(tasks_)),
      num_pruned_(num_pruned) {}

std::unique_ptr<ScanWorker> LineScan::make_worker() { return std::make_unique<Worker>(*this); }

int64_t LineScan::take_task() {
  if (ctx_.metrics) ctx_.metrics->morsels_done += num_pruned_.exchange(0, std::memory_order_relaxed);
  const int64_t number = std::min(next_task_.fetch_add(1, std::memory_order_relaxed), num_morsels());
  if (number == num_morsels() || !ctx_.metrics) return number;
  const LineTask& task = tasks_[static_cast<size_t>(number)];
  const bool is_first_of_file = number == 0 || (&task)[-1].split->path != task.split->path;
  if (is_first_of_file) ++ctx_.metrics->input_files;
  ctx_.metrics->input_bytes += std::min(task.end, task.split->start + task.split->length) - task.start;
  return number;
}

}  // namespace accelerant::io
