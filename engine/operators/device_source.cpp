#include "operators/device_source.h"

#include "base/error.h"
#include "memory/memory_wait.h"

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
        worker_(source.device_->make_worker()) {
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
    const bool is_there = read(stored, out);
    if (!is_there) return complete(out);
    stored_ = std::move(stored);
    sequence_ = 0;
    return bring(out);
  }

 private:
  /// Brings the row group at hand to the device, or leaves it to the host.
  Step bring(Batch& out) {
    out.morsel = stored_->morsel;
    Batch made = source_.empty_;
    Intake intake{stored_->num_rows == 0 ? Intake::Kind::Taken : Intake::Kind::Left};
    if (stored_->num_rows > 0 && !stored_->columns.empty()) intake = source_.device_->take_in(*worker_, *stored_, made);
    if (intake.kind == Intake::Kind::Waiting) return Step::suspended(std::move(intake.event));
    made.morsel = stored_->morsel;
    stored_.reset();
    if (intake.kind == Intake::Kind::Taken) {
      made_ = std::move(made);
      return give(out);
    }
    reads_on_host_ = true;
    return read_on_host(out);
  }

  /// Reads the next row group as it is stored; false at the end. Says which one it is also where memory has to be
  /// waited for.
  bool read(device::EncodedBatch& stored, Batch& out) {
    try {
      const bool is_there = scan_->next(stored);
      out.morsel = morsel_ = stored.morsel;
      return is_there;
    } catch (const memory::MemoryWait&) {
      out.morsel = morsel_ = stored.morsel;
      throw;
    }
  }

  /// Emits the next of the rows that the device made.
  Step give(Batch& out) {
    out = {};
    out.num_rows = std::min(source_.batch_rows_, made_.num_rows - given_);
    for (const columns::ColumnPtr& column : made_.columns) out.columns.push_back(column->slice(given_, out.num_rows));
    given_ += out.num_rows;
    out.morsel = made_.morsel;
    out.morsels_before = columns::kNoOrder;
    out.sequence = sequence_++;
    out.ends_morsel = given_ == made_.num_rows;
    if (out.ends_morsel) made_ = {};
    if (out.ends_morsel) given_ = 0;
    return Step::has_output();
  }

  /// Emits the next of the rows of the row group that is left to the host.
  Step read_on_host(Batch& out) {
    out.morsel = morsel_;
    if (Step step = run_host_steps(out); step.kind == Step::Kind::Suspended) return step;
    out.morsels_before = columns::kNoOrder;
    out.sequence = sequence_++;
    reads_on_host_ = !out.ends_morsel;
    return Step::has_output();
  }

  /// Takes the next batch through the host's transforms, each of which makes one of it.
  Step run_host_steps(Batch& out) {
    if (!on_host_) {
      Batch read;
      scan_->next_on_host(read);
      if (source_.host_.scan) source_.host_.scan->count_output(read.num_selected());
      on_host_ = std::move(read);
      next_host_step_ = 0;
    }
    for (; next_host_step_ < states_.size(); ++next_host_step_) {
      const CountedTransform& counted = source_.host_.transforms[next_host_step_];
      std::optional<Batch> made;
      Step step = counted.transform->process(*states_[next_host_step_], *on_host_, made);
      if (step.kind == Step::Kind::Suspended) return step;
      ACC_CHECK(step.kind == Step::Kind::NeedsInput && made);
      on_host_ = std::move(made);
      counted.metrics->count_output(on_host_->num_selected());
    }
    out = *std::exchange(on_host_, std::nullopt);
    return Step::has_output();
  }

  /// Comes to the end of the scan. The last one there sees to what the device has left.
  Step complete(Batch& out) {
    out.morsel = source_.num_morsels();
    if (!completes_) {
      if (std::exchange(is_at_end_, true)) return Step::finished();
      if (--source_.num_at_work_ > 0 || source_.is_complete_.exchange(true)) return Step::finished();
      completes_ = true;
    }
    out.morsel = source_.scan_->num_morsels();
    lost_ = source_.device_->complete();
    completes_ = false;
    std::ranges::sort(lost_, std::greater());
    reads_again_ = true;
    sequence_ = 0;
    if (!lost_.empty()) scan_->go_back(lost_.back());
    return read_again(out);
  }

  /// Reads what was lost, the last morsel of all.
  Step read_again(Batch& out) {
    out.morsel = source_.scan_->num_morsels();
    if (lost_.empty()) {
      out = source_.empty_;
      out.ends_morsel = true;
      reads_again_ = false;
    } else {
      if (Step step = run_host_steps(out); step.kind == Step::Kind::Suspended) return step;
      if (out.ends_morsel) lost_.pop_back();
      if (out.ends_morsel && !lost_.empty()) scan_->go_back(lost_.back());
      out.ends_morsel = false;
    }
    out.morsel = source_.scan_->num_morsels();
    out.morsels_before = columns::kNoOrder;
    out.sequence = sequence_++;
    return Step::has_output();
  }

  DeviceSource& source_;
  const std::unique_ptr<io::EncodedScanWorker> scan_;
  const std::unique_ptr<DeviceWorker> worker_;
  std::vector<std::unique_ptr<State>> states_;  ///< of the host's transforms
  int64_t morsel_ = 0;                          ///< of the row group that was read last
  std::optional<device::EncodedBatch> stored_;  ///< a row group that is being brought to the device
  Batch made_;                                  ///< by the device, of which `given_` rows are emitted
  int64_t given_ = 0;
  int64_t sequence_ = 0;  ///< of the next batch of the morsel
  bool reads_on_host_ = false;
  std::optional<Batch> on_host_;  ///< on its way through the host's transforms
  size_t next_host_step_ = 0;     ///< the transform that it comes to next
  bool is_at_end_ = false;
  bool completes_ = false;  ///< it sees to what the device has left
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
