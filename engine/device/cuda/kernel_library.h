#pragma once

#include "device/cuda/shared_library.h"

#include <cstdint>
#include <filesystem>
#include <variant>
#include <vector>

namespace accelerant::device::cuda {

/// Reads the machine code of all kernels of kernels/list.h, which `make gpu` compiles: one file an architecture, e.g.
/// "kernels.sm_90.cubin". GPUs run code of their own architecture and of earlier ones of its major version.
/// @param architecture of the GPU, e.g. 89 for sm_89
/// @returns the code of the latest architecture that the GPU runs, or in one line that there is none
std::variant<std::vector<uint8_t>, Unavailable> read_kernel_library(const std::filesystem::path& folder,
                                                                    int32_t architecture);

}  // namespace accelerant::device::cuda
