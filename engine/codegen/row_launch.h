#pragma once

#include "codegen/row_arguments.h"
#include "codegen/row_kernel.h"
#include "device/device_batch.h"
#include "device/stream.h"
#include "device/stream_guard.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace accelerant::codegen {

/// The constants of a kernel in memory of a device: strings and lists lie there, all else is an argument itself.
class DeviceConstants {
 public:
  /// Enqueues the copy; lives until the stream is synchronised.
  DeviceConstants(device::DeviceStream& stream, const std::vector<RowConstant>& constants);

  std::span<const ConstantView> views() const { return views_; }
  /// Returns the bytes of device memory that constants take.
  static int64_t bytes_of(const std::vector<RowConstant>& constants);

 private:
  void place(const RowConstant& constant);

  std::vector<ConstantView> views_;
  std::vector<char> host_;
  size_t used_ = 0;
  device::DeviceBuffer memory_;
  const device::StreamGuard guard_;
};

/// Returns what a kernel sees of a column.
InputView view_of(const device::DeviceColumn& column);

/// A kernel over the rows of a batch.
struct RowLaunch {
  const RowKernel& kernel;
  const device::KernelEntry& entry;
  RowArguments rows;
  const device::DeviceBatch& batch;
  std::span<const OutputView> outputs;  ///< one each that the kernel makes
  const DeviceConstants& constants;
  std::span<const char> more = {};  ///< arguments that follow those of all kernels
};

/// Enqueues a kernel.
void launch_rows(device::DeviceStream& stream, const RowLaunch& launch);

}  // namespace accelerant::codegen
