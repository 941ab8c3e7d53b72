#pragma once

#include "codegen/fused_groups.h"
#include "operators/device_pipeline.h"

#include <memory>
#include <vector>

namespace accelerant::operators {

/// How a pipeline ends in groups.
struct DeviceGrouping {
  codegen::RowSteps steps;  ///< to keys, which come first, and arguments
  int num_keys = 0;
  std::vector<codegen::GroupCall> calls;
};

/// The groups that a device makes of row groups: together with those of the host they are the result.
class DeviceAggregation final : public DevicePipeline {
 public:
  /// See DevicePipeline.
  DeviceAggregation(std::shared_ptr<codegen::Accelerator> accelerator, const DeviceGrouping& grouping,
                    DeviceCounters counters, bool is_strict, const execution::OperatorContext& ctx);

  /// Returns the groups; after `complete`.
  std::vector<codegen::GroupPart> take() { return std::move(parts_); }

 private:
  class Kernels;

  std::unique_ptr<DeviceKernels> make_kernels(const codegen::RowSteps& steps) override;
  bool keeps_state() const override { return true; }
  void bring_home(device::DeviceStream& stream) override;
  void forget() override { parts_.clear(); }

  const int num_keys_;
  const std::vector<codegen::GroupCall> calls_;
  std::vector<Kernels*> all_;  ///< kernels that were made
  size_t num_home_ = 0;        ///< of `all_`, whose groups are among the parts
  std::vector<codegen::GroupPart> parts_;
};

}  // namespace accelerant::operators
