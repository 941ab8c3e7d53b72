#pragma once

#include "codegen/kernel_compiler.h"
#include "codegen/row_steps.h"
#include "device/device_batch.h"

#include <memory>
#include <optional>
#include <string>

namespace accelerant::codegen {

/// Steps that end in rows: a kernel that finds the rows that are kept, and one that makes their columns.
class FusedRows {
 public:
  /// @param steps not refused by `refusal_of`
  /// @param compiler outlives this
  FusedRows(const RowSteps& steps, KernelCompiler& compiler);
  ~FusedRows();

  /// Says in a few words why steps cannot end in rows on a device; nullopt where they can.
  static std::optional<std::string> refusal_of(const RowSteps& steps);

  /// Says whether the kernels can be launched yet.
  bool ready();
  /// Returns the rows that are kept, in order, as the last step makes their columns; nullopt where some row is in
  /// error: then the host has to do the batch. Waits for the stream.
  /// @throws Error Resource where the budget or the device has no room
  std::optional<device::DeviceBatch> run(device::DeviceStream& stream, const device::DeviceBatch& batch);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace accelerant::codegen
