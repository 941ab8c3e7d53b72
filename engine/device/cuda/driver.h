#pragma once

#include "device/cuda/shared_library.h"

#include <cstdint>
#include <string>
#include <variant>

namespace accelerant::device::cuda {

/// NVIDIA's driver, initialised.
struct CudaDriver {
  FindSymbol find;
  int32_t version;  ///< of the CUDA it is for: 1000 * major + 10 * minor
  int32_t num_gpus;
};

/// Machine code of ours runs on drivers for this CUDA and later ones: all of its major version.
inline constexpr int32_t kLowestDriverVersion = 13'000;

/// Opens the driver and asks it for GPUs. What is missing, too old or fails is named in the one line that says why no
/// GPU is used.
std::variant<CudaDriver, Unavailable> open_driver(const std::string& library = "libcuda.so.1");

/// Asks a driver that was opened.
std::variant<CudaDriver, Unavailable> start_driver(const FindSymbol& find);

/// Returns a version as people write it, e.g. "13.5".
std::string format_version(int32_t version);

}  // namespace accelerant::device::cuda
