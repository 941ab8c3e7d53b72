#pragma once

#include "device/cuda/shared_library.h"

#include <cstdint>
#include <string>
#include <variant>

namespace accelerant::device::cuda {

/// NVRTC, which compiles CUDA at run time.
struct RuntimeCompiler {
  FindSymbol find;
  int32_t version;  ///< 1000 * major + 10 * minor
};

/// The major version of NVRTC whose machine code drivers of kLowestDriverVersion run.
inline constexpr int32_t kCompilerMajorVersion = 13;

/// Opens NVRTC. What is missing or of another version is named in one line.
std::variant<RuntimeCompiler, Unavailable> open_runtime_compiler(const std::string& library = "libnvrtc.so.13");

/// Asks an NVRTC that was opened for its version.
std::variant<RuntimeCompiler, Unavailable> start_runtime_compiler(const FindSymbol& find);

}  // namespace accelerant::device::cuda
