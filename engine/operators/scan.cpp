#include "operators/scan.h"

namespace accelerant::operators {

namespace {

struct ScanState final : State {
  explicit ScanState(std::unique_ptr<io::ScanWorker> scan_worker) : worker(std::move(scan_worker)) {}

  std::unique_ptr<io::ScanWorker> worker;
};

}  // namespace

std::unique_ptr<Source> ScanTable::make_source(int first, int last, const execution::OperatorContext& ctx) const {
  return std::make_unique<ScanSource>(dataset_->scan(first, last, ctx));
}

std::unique_ptr<State> ScanSource::make_state() { return std::make_unique<ScanState>(scan_->make_worker()); }

Step ScanSource::next(State& state, columns::Batch& out) {
  return static_cast<ScanState&>(state).worker->next(out) ? Step::has_output() : Step::finished();
}

}  // namespace accelerant::operators
