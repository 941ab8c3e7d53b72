#pragma once

#include "operators/device_pipeline.h"

#include <memory>

namespace accelerant::operators {

/// Rows that a device filters and computes, and that go on on the host.
class DeviceRows final : public DevicePipeline {
 public:
  using DevicePipeline::DevicePipeline;

 private:
  class Kernels;

  std::unique_ptr<DeviceKernels> make_kernels(const codegen::RowSteps& steps) override;
};

}  // namespace accelerant::operators
