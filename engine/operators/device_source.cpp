#include "operators/device_source.h"

#include <utility>

namespace accelerant::operators {

namespace {

struct DeviceSourceState final : State {
  explicit DeviceSourceState(std::unique_ptr<io::EncodedScanWorker> scan_worker) : worker(std::move(scan_worker)) {}

  std::unique_ptr<io::EncodedScanWorker> worker;
  bool reads_on_host = false;  ///< the morsel that was taken last, which has not ended
};

}  // namespace

DeviceSource::DeviceSource(std::unique_ptr<io::Scan> scan, std::vector<types::DataType> column_types,
                           std::shared_ptr<DeviceAggregation> device, const execution::OperatorContext& ctx)
    : scan_(std::move(scan)), device_(std::move(device)) {
  for (const types::DataType& type : column_types) {
    empty_.columns.push_back(columns::Column::nulls(type, 0, ctx.budget));
  }
  empty_.ends_morsel = true;
}

std::unique_ptr<State> DeviceSource::make_state() {
  return std::make_unique<DeviceSourceState>(scan_->make_encoded_worker());
}

Step DeviceSource::next(State& state, columns::Batch& out) {
  auto& own = static_cast<DeviceSourceState&>(state);
  if (!own.reads_on_host) {
    device::EncodedBatch stored;
    const bool is_there = own.worker->next(stored);
    out.morsel = stored.morsel;
    if (!is_there) return Step::finished();
    own.reads_on_host = stored.num_rows > 0 && (stored.columns.empty() || !device_->take_in(stored));
    if (!own.reads_on_host) {
      out = empty_;
      out.morsel = stored.morsel;
      return Step::has_output();
    }
  }
  own.worker->next_on_host(out);
  own.reads_on_host = !out.ends_morsel;
  return Step::has_output();
}

}  // namespace accelerant::operators
