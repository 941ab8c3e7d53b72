#include "io/parquet_scan.h"

#include "io/file_splits.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace accelerant::io {

using columns::Batch;

/// The row group that a worker is at.
class ParquetScan::Morsel {
 public:
  explicit Morsel(ParquetScan& scan)
      : scan_(scan), state_{make_filters(*scan.spec_, scan.ctx_), KeyFiltering(scan.ctx_.key_filters), {}, {}} {}

  /// Goes to the next one, as this one is done; false where there is none left.
  bool start() {
    if (was_taken_ && scan_.ctx_.metrics) ++scan_.ctx_.metrics->morsels_done;
    const int64_t next = scan_.take_task();
    was_taken_ = next < scan_.num_morsels();
    if (was_taken_) {
      go_to(next);
    } else {
      number_ = next;
      reader_.reset();
    }
    return was_taken_;
  }

  void go_to(int64_t number) {
    number_ = number;
    sequence_ = 0;
    reader_.reset();
    is_due_ = true;
  }

  /// Reads its next batch.
  Batch read() {
    open();
    std::optional<Batch> batch = reader_->next();
    Batch out = batch ? std::move(*batch) : reader_->empty_batch();
    out.morsel = number_;
    out.sequence = sequence_++;
    out.morsels_before = number_ - scan_.partition_starts_[static_cast<size_t>(number_)];
    out.ends_morsel = reader_->at_end();
    if (out.ends_morsel) reader_.reset();
    return out;
  }

  device::EncodedBatch read_encoded(const memory::AllocateBuffer& allocate) {
    open();
    return reader_->read_encoded(allocate);
  }
  bool has_ended() const { return !reader_ && !is_due_; }
  int64_t number() const { return number_; }

 private:
  void open() {
    if (!is_due_) return;
    reader_.emplace(*scan_.spec_, scan_.tasks_[static_cast<size_t>(number_)], state_, scan_.ctx_);
    is_due_ = false;
  }

  ParquetScan& scan_;
  ScanState state_;
  std::optional<RowGroupReader> reader_;
  int64_t number_ = 0;
  int64_t sequence_ = 0;
  bool was_taken_ = false;
  bool is_due_ = false;  ///< to be opened
};

class ParquetScan::Worker final : public ScanWorker {
 public:
  explicit Worker(ParquetScan& scan) : scan_(scan), morsel_(scan) {}

  bool next(Batch& out) override {
    scan_.ctx_.cancellation->check();
    const bool is_there = !morsel_.has_ended() || morsel_.start();
    out.morsel = morsel_.number();
    if (is_there) out = morsel_.read();
    return is_there;
  }

 private:
  ParquetScan& scan_;
  Morsel morsel_;
};

class ParquetScan::EncodedWorker final : public EncodedScanWorker {
 public:
  EncodedWorker(ParquetScan& scan, memory::AllocateBuffer allocate)
      : scan_(scan), allocate_(std::move(allocate)), morsel_(scan) {}

  bool next(device::EncodedBatch& out) override {
    scan_.ctx_.cancellation->check();
    if (!is_started_) is_there_ = morsel_.start();
    is_started_ = true;
    out.morsel = morsel_.number();
    if (is_there_) out = morsel_.read_encoded(allocate_);
    out.morsel = morsel_.number();
    is_started_ = false;
    return is_there_;
  }

  void next_on_host(Batch& out) override {
    scan_.ctx_.cancellation->check();
    out = morsel_.read();
  }

  void go_back(int64_t morsel) override { morsel_.go_to(morsel); }

 private:
  ParquetScan& scan_;
  const memory::AllocateBuffer allocate_;
  Morsel morsel_;
  bool is_started_ = false;  ///< with the next row group, which is not read yet
  bool is_there_ = false;
};

ParquetScan::ParquetScan(std::shared_ptr<const ScanSpec> spec, std::vector<RowGroupTask> tasks, int64_t num_pruned,
                         execution::OperatorContext ctx)
    : spec_(std::move(spec)),
      tasks_(std::move(tasks)),
      ctx_(std::move(ctx)),
      partition_starts_(partition_starts(tasks_)),
      num_pruned_(num_pruned) {}

std::unique_ptr<ScanWorker> ParquetScan::make_worker() { return std::make_unique<Worker>(*this); }

std::unique_ptr<EncodedScanWorker> ParquetScan::make_encoded_worker(memory::AllocateBuffer allocate) {
  return std::make_unique<EncodedWorker>(*this, std::move(allocate));
}

/// Counts a file at its first row group; a file's row groups stand together.
void ParquetScan::count_input(const RowGroupTask& task) {
  if (!ctx_.metrics) return;
  const bool is_first = &task == tasks_.data() || (&task)[-1].file != task.file;
  if (is_first) ++ctx_.metrics->input_files;
  ctx_.metrics->input_rows += task.num_rows();
}

int64_t ParquetScan::take_task() {
  if (ctx_.metrics) ctx_.metrics->morsels_done += num_pruned_.exchange(0, std::memory_order_relaxed);
  const int64_t task = std::min(next_task_.fetch_add(1, std::memory_order_relaxed), num_morsels());
  if (task < num_morsels()) count_input(tasks_[static_cast<size_t>(task)]);
  return task;
}

}  // namespace accelerant::io
