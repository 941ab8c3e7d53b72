#pragma once

#include "codegen/accelerator.h"
#include "device/cuda/driver.h"
#include "device/cuda/kernel_library.h"
#include "device/cuda/runtime_compiler.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <variant>

namespace accelerant::codegen {

/// What a GPU is driven with.
struct GpuParts {
  device::cuda::CudaDriver driver;
  std::optional<device::cuda::RuntimeCompiler> compiler;  ///< nullopt: only what is in `kernels` runs
  device::cuda::KernelLibrary kernels;                    ///< the engine's own; may have those of pipelines
  std::filesystem::path cache;                            ///< folder for machine code of pipelines; empty: none is kept
};

/// Opens the driver's first GPU and moves a few bytes there and back. What keeps it from being used is said in one
/// line. A cache folder that cannot be used is none.
std::variant<std::shared_ptr<Accelerator>, Unavailable> start_gpu(const GpuParts& parts);

}  // namespace accelerant::codegen
