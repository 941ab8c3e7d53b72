#pragma once

#include "device/cuda/shared_library.h"

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

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

/// A program of CUDA.
struct CudaProgram {
  std::string name;                            ///< for people
  std::string source;                          ///< includes nothing but `headers`
  std::map<std::string, std::string> headers;  ///< by the names that includes have them by
};

/// What every program is compiled with: the same bits as on the host, and no more of the language than kernels use.
inline constexpr const char* kCompilerOptions[] = {"--std=c++20", "--fmad=false", "--device-int128", "--minimal"};

/// What a compiler made of a program.
struct MachineCode {
  std::vector<uint8_t> bytes;
  std::string log;  ///< what the compiler said
};

/// Compiles a program. Any thread.
/// @param architecture e.g. 90 for sm_90
/// @param more_options e.g. "--ptxas-options=-v", for a log with the registers that kernels take
/// @throws Error Internal with what the compiler says
MachineCode compile(const RuntimeCompiler& compiler, const CudaProgram& program, int32_t architecture,
                    const std::vector<std::string>& more_options = {});

}  // namespace accelerant::device::cuda
