#include "operators/device_source.h"

#include "base/error.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace accelerant::operators {

using columns::Batch;

/// What one worker is at: a row group whose rows the device made, one that the host reads, or those that it has to read
/// again.
class DeviceSource::Worker final : public State {
 public:
  explicit Worker(DeviceSource& source)
      : source_(source),
        scan_(source.scan_->encoded()->make_encoded_worker(source.device_->host_memory())),
        lane_(source.device_->make_lane()) {
    for (const CountedTransform& counted : source.host_.transforms) states_.push_back(counted.transform->make_state());
    ++source_.num_at_work_;
  }

  /// See Source::next.
  Step next(Batch& out) {
    if (given_ < made_.num_rows) return give(out);
    if (reads_on_host_) return read_on_host(out);
    if (reads_again_) return read_again(out);
    if (stored_) return bring(out);
    device::EncodedBatch stored;
    const bool is_there = scan_->next(stored);
    out.morsel = stored.morsel;
    if (!is_there) return complete(out);
    stored_ = std::move(stored);
    sequence_ = 0;
    return bring(out);
  }

 private:
  /// Brings the row group at hand to the device, or leaves it to the host.
  Step bring(Batch& out) {
    out.morsel = stored_->morsel;
    made_ = source_.empty_;
    Intake intake{stored_->num_rows == 0 ? Intake::Kind::Taken : Intake::Kind::Left};
    if (stored_->num_rows > 0 && !stored_->columns.empty()) intake = source_.device_->take_in(*lane_, *stored_, made_);
    if (intake.kind == Intake::Kind::Waiting) return wait(std::move(intake.event), out);
    made_.morsel = stored_->morsel;
    stored_.reset();
    if (intake.kind == Intake::Kind::Taken) return give(out);
    made_ = {};
    reads_on_host_ = true;
    return read_on_host(out);
  }

  /// Suspends the worker, but first says with an empty batch which morsel it is at: the others may fail in a later one.
  Step wait(execution::EventPtr event, Batch& out) {
    const int64_t morsel = stored_->morsel;
    made_ = {};
    if (sequence_ > 0) return Step::suspended(std::move(event));
    out = source_.empty_;
    out.morsel = morsel;
    out.sequence = sequence_++;
    return Step::has_output();
  }

  /// Emits the next of the rows that the device made.
  Step give(Batch& out) {
    out = {};
    out.num_rows = std::min(source_.batch_rows_, made_.num_rows - given_);
    for (const columns::ColumnPtr& column : made_.columns) out.columns.push_back(column->slice(given_, out.num_rows));
    given_ += out.num_rows;
    out.morsel = made_.morsel;
    out.sequence = sequence_++;
    out.ends_morsel = given_ == made_.num_rows;
    if (out.ends_morsel) made_ = {};
    if (out.ends_morsel) given_ = 0;
    return Step::has_output();
  }

  /// Emits the next of the rows of the row group that is left to the host.
  Step read_on_host(Batch& out) {
    run_host_steps(out);
    out.sequence = sequence_++;
    reads_on_host_ = !out.ends_morsel;
    return Step::has_output();
  }

  void run_host_steps(Batch& out) {
    scan_->next_on_host(out);
    if (source_.host_.scan) source_.host_.scan->count_output(out.num_selected());
    for (size_t i = 0; i < states_.size(); ++i) {
      const CountedTransform& counted = source_.host_.transforms[i];
      std::optional<Batch> made;
      counted.transform->process(*states_[i], out, made);
      out = std::move(*made);
      counted.metrics->count_output(out.num_selected());
    }
  }

  /// Comes to the end of the scan. The last one there sees to what the device has left.
  Step complete(Batch& out) {
    out.morsel = source_.num_morsels();
    if (std::exchange(is_at_end_, true)) return Step::finished();
    if (--source_.num_at_work_ > 0 || source_.is_complete_.exchange(true)) return Step::finished();
    out.morsel = source_.scan_->num_morsels();
    lost_ = source_.device_->complete();
    std::ranges::sort(lost_, std::greater());
    reads_again_ = true;
    sequence_ = 0;
    if (!lost_.empty()) scan_->go_back(lost_.back());
    return read_again(out);
  }

  /// Reads what was lost, the last morsel of all.
  Step read_again(Batch& out) {
    if (lost_.empty()) {
      out = source_.empty_;
      out.ends_morsel = true;
      reads_again_ = false;
    } else {
      run_host_steps(out);
      if (out.ends_morsel) lost_.pop_back();
      if (out.ends_morsel && !lost_.empty()) scan_->go_back(lost_.back());
      out.ends_morsel = false;
    }
    out.morsel = source_.scan_->num_morsels();
    out.sequence = sequence_++;
    return Step::has_output();
  }

  DeviceSource& source_;
  const std::unique_ptr<io::EncodedScanWorker> scan_;
  const std::unique_ptr<DeviceLane> lane_;
  std::vector<std::unique_ptr<State>> states_;  ///< of the host's transforms
  std::optional<device::EncodedBatch> stored_;  ///< a row group that is being brought to the device
  Batch made_;                                  ///< by the device, of which `given_` rows are emitted
  int64_t given_ = 0;
  int64_t sequence_ = 0;  ///< of the next batch of the morsel
  bool reads_on_host_ = false;
  bool is_at_end_ = false;
  bool reads_again_ = false;
  std::vector<int64_t> lost_;  ///< morsels, the next one last
};

DeviceSource::DeviceSource(std::unique_ptr<io::Scan> scan, std::shared_ptr<DevicePipeline> device, HostSteps host,
                           Batch empty, int64_t batch_rows)
    : scan_(std::move(scan)),
      device_(std::move(device)),
      host_(std::move(host)),
      empty_(std::move(empty)),
      batch_rows_(batch_rows) {}

std::unique_ptr<State> DeviceSource::make_state() { return std::make_unique<Worker>(*this); }

Step DeviceSource::next(State& state, Batch& out) { return static_cast<Worker&>(state).next(out); }

}  // namespace accelerant::operators
