#include "io/orc_scan.h"

#include "io/file_splits.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace accelerant::io {

using columns::Batch;

class OrcScan::Worker final : public ScanWorker {
 public:
  explicit Worker(OrcScan& scan)
      : scan_(scan), state_{make_filters(*scan.spec_, scan.ctx_), KeyFiltering(scan.ctx_.key_filters)} {}

  bool next(Batch& out) override {
    scan_.ctx_.cancellation->check();
    const bool is_there = reader_ || start();
    if (is_there) out = read();
    out.morsel = number_;
    return is_there;
  }

 private:
  /// Goes to the next stripe, as this one is done; false where there is none left.
  bool start() {
    if (was_taken_ && scan_.ctx_.metrics) ++scan_.ctx_.metrics->morsels_done;
    number_ = scan_.take_task();
    sequence_ = 0;
    was_taken_ = number_ < scan_.num_morsels();
    if (was_taken_) reader_.emplace(*scan_.spec_, scan_.tasks_[static_cast<size_t>(number_)], state_, scan_.ctx_);
    return was_taken_;
  }

  Batch read() {
    std::optional<Batch> batch = reader_->next();
    Batch out = batch ? std::move(*batch) : reader_->empty_batch();
    out.sequence = sequence_++;
    out.morsels_before = number_ - scan_.partition_starts_[static_cast<size_t>(number_)];
    out.ends_morsel = reader_->at_end();
    if (out.ends_morsel) reader_.reset();
    return out;
  }

  OrcScan& scan_;
  OrcScanState state_;
  std::optional<OrcStripeReader> reader_;
  int64_t number_ = 0;
  int64_t sequence_ = 0;
  bool was_taken_ = false;
};

OrcScan::OrcScan(std::shared_ptr<const ScanSpec> spec, std::vector<OrcTask> tasks, int64_t num_pruned,
                 execution::OperatorContext ctx)
    : spec_(std::move(spec)),
      tasks_(std::move(tasks)),
      ctx_(std::move(ctx)),
      partition_starts_(partition_starts(tasks_)),
      num_pruned_(num_pruned) {}

std::unique_ptr<ScanWorker> OrcScan::make_worker() { return std::make_unique<Worker>(*this); }

int64_t OrcScan::take_task() {
  if (ctx_.metrics) ctx_.metrics->morsels_done += num_pruned_.exchange(0, std::memory_order_relaxed);
  const int64_t number = std::min(next_task_.fetch_add(1, std::memory_order_relaxed), num_morsels());
  if (number == num_morsels() || !ctx_.metrics) return number;
  // A file counts at its first stripe; a file's stripes stand together.
  const auto task = static_cast<size_t>(number);
  if (task == 0 || tasks_[task - 1].file != tasks_[task].file) ++ctx_.metrics->input_files;
  ctx_.metrics->input_rows += tasks_[task].num_rows();
  return number;
}

}  // namespace accelerant::io
