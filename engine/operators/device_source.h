#pragma once

#include "execution/context.h"
#include "io/scan.h"
#include "operators/device_aggregation.h"
#include "operators/operator.h"

#include <memory>
#include <vector>

namespace accelerant::operators {

/// Starts a pipeline with the row groups of a scan: a device takes in what it can of them, batches of the others are
/// read by the host and go on as ever.
class DeviceSource final : public Source {
 public:
  /// @param column_types of the scan's columns
  DeviceSource(std::unique_ptr<io::Scan> scan, std::vector<types::DataType> column_types,
               std::shared_ptr<DeviceAggregation> device, const execution::OperatorContext& ctx);

  std::string_view name() const override { return "Scan"; }
  std::unique_ptr<State> make_state() override;
  Step next(State& state, columns::Batch& out) override;
  int64_t num_morsels() const override { return scan_->num_morsels(); }

 private:
  const std::unique_ptr<io::Scan> scan_;
  const std::shared_ptr<DeviceAggregation> device_;
  columns::Batch empty_;  ///< given out where there is nothing left for the host
};

}  // namespace accelerant::operators
