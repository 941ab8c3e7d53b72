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

  /// Fills `out` as Source::next does; false at the end.
  bool next(Batch& out) {
    if (given_ < made_.num_rows) {
      give(out);
      return true;
    }
    if (reads_on_host_) {
      read_on_host(out);
      reads_on_host_ = !out.ends_morsel;
      return true;
    }
    if (reads_again_) {
      read_again(out);
      return true;
    }
    device::EncodedBatch stored;
    const bool is_there = scan_->next(stored);
    out.morsel = stored.morsel;
    return is_there ? start(stored, out) : complete(out);
  }

 private:
  bool start(const device::EncodedBatch& stored, Batch& out) {
    const bool is_empty = stored.num_rows == 0;
    made_ = source_.empty_;
    given_ = 0;
    if (is_empty || (!stored.columns.empty() && source_.device_->take_in(*lane_, stored, made_))) {
      made_.morsel = stored.morsel;
      sequence_ = 0;
      give(out);
      return true;
    }
    made_ = {};
    reads_on_host_ = true;
    return next(out);
  }

  /// Emits the next of the rows that the device made.
  void give(Batch& out) {
    out = {};
    out.num_rows = std::min(source_.batch_rows_, made_.num_rows - given_);
    for (const columns::ColumnPtr& column : made_.columns) out.columns.push_back(column->slice(given_, out.num_rows));
    given_ += out.num_rows;
    out.morsel = made_.morsel;
    out.sequence = sequence_++;
    out.ends_morsel = given_ == made_.num_rows;
    if (out.ends_morsel) made_ = {};
    if (out.ends_morsel) given_ = 0;
  }

  void read_on_host(Batch& out) {
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
  bool complete(Batch& out) {
    out.morsel = source_.num_morsels();
    if (std::exchange(is_at_end_, true)) return false;
    if (--source_.num_at_work_ > 0 || source_.is_complete_.exchange(true)) return false;
    out.morsel = source_.scan_->num_morsels();
    lost_ = source_.device_->complete();
    std::ranges::sort(lost_, std::greater());
    reads_again_ = true;
    sequence_ = 0;
    if (!lost_.empty()) scan_->go_back(lost_.back());
    read_again(out);
    return true;
  }

  /// Reads what was lost, the last morsel of all.
  void read_again(Batch& out) {
    if (lost_.empty()) {
      out = source_.empty_;
      out.ends_morsel = true;
      reads_again_ = false;
    } else {
      read_on_host(out);
      if (out.ends_morsel) lost_.pop_back();
      if (out.ends_morsel && !lost_.empty()) scan_->go_back(lost_.back());
      out.ends_morsel = false;
    }
    out.morsel = source_.scan_->num_morsels();
    out.sequence = sequence_++;
  }

  DeviceSource& source_;
  const std::unique_ptr<io::EncodedScanWorker> scan_;
  const std::unique_ptr<DeviceLane> lane_;
  std::vector<std::unique_ptr<State>> states_;  ///< of the host's transforms
  Batch made_;                                  ///< by the device, of which `given_` rows are emitted
  int64_t given_ = 0;
  int64_t sequence_ = 0;
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

Step DeviceSource::next(State& state, Batch& out) {
  return static_cast<Worker&>(state).next(out) ? Step::has_output() : Step::finished();
}

}  // namespace accelerant::operators
