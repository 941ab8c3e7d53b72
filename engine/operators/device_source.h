#pragma once

#include "execution/context.h"
#include "io/encoded_scan.h"
#include "io/scan.h"
#include "operators/device_pipeline.h"
#include "operators/operator.h"

#include <atomic>
#include <memory>
#include <vector>

namespace accelerant::operators {

/// What the host does of row groups that no device takes in, up to where the rows of a device come in.
struct HostSteps {
  execution::Metrics* scan = nullptr;  ///< counts what the scan emits; nullptr: the first transform's are counted
  std::vector<CountedTransform> transforms;
};

/// Starts a pipeline with the row groups of a scan: a device takes in what it can of them, the host does the others.
/// After them comes a morsel for what the device loses in the end.
class DeviceSource final : public Source {
 public:
  /// @param scan has a way to read its morsels as they are stored
  /// @param empty a batch without rows, of the columns that are emitted
  DeviceSource(std::unique_ptr<io::Scan> scan, std::shared_ptr<DevicePipeline> device, HostSteps host,
               columns::Batch empty, int64_t batch_rows);

  std::string_view name() const override { return "Scan"; }
  std::unique_ptr<State> make_state() override;
  Step next(State& state, columns::Batch& out) override;
  int64_t num_morsels() const override { return scan_->num_morsels() + 1; }

 private:
  class Worker;

  const std::unique_ptr<io::Scan> scan_;
  const std::shared_ptr<DevicePipeline> device_;
  const HostSteps host_;
  const columns::Batch empty_;
  const int64_t batch_rows_;
  std::atomic<int> num_at_work_{0};       ///< workers that have not come to the end of the scan
  std::atomic<bool> is_complete_{false};  ///< the last of them saw to what the device had left
};

}  // namespace accelerant::operators
