#pragma once

#include "device/cuda/driver_functions.h"

#include <cstdint>

namespace accelerant::device::cuda {

/// The context of a GPU, which all of a process share. What the driver has of it lasts as long as this. Any thread.
class CudaContext {
 public:
  /// @throws Error where the driver gives none
  CudaContext(const DriverFunctions& functions, int32_t device) : functions_(functions), device_(device) {
    functions_.retain_context(&context_, device_);
  }
  ~CudaContext() { functions_.release_context.attempt(device_); }
  CudaContext(const CudaContext&) = delete;
  CudaContext& operator=(const CudaContext&) = delete;

  const DriverFunctions& functions() const { return functions_; }
  /// Makes the calling thread one of this GPU's.
  /// @throws Error where the driver fails
  void make_current() const { functions_.set_current_context(context_); }
  /// Likewise; what fails then says so itself.
  void try_make_current() const { functions_.set_current_context.attempt(context_); }

 private:
  const DriverFunctions functions_;
  const int32_t device_;
  Handle context_ = nullptr;
};

}  // namespace accelerant::device::cuda
