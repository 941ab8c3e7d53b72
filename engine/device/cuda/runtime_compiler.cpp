#include "device/cuda/runtime_compiler.h"

#include "device/cuda/driver.h"

namespace accelerant::device::cuda {

namespace {

constexpr const char* kNotCompiled = "nothing is compiled for a GPU: ";

}  // namespace

std::variant<RuntimeCompiler, Unavailable> open_runtime_compiler(const std::string& library) {
  auto opened = open_library(library);
  if (const auto* failure = std::get_if<Unavailable>(&opened)) {
    return Unavailable{std::string(kNotCompiled) + "there is no NVRTC (" + failure->reason + ")"};
  }
  return start_runtime_compiler(std::get<FindSymbol>(opened));
}

std::variant<RuntimeCompiler, Unavailable> start_runtime_compiler(const FindSymbol& find) {
  const auto get_version = reinterpret_cast<int (*)(int*, int*)>(find("nvrtcVersion"));
  int major = 0;
  int minor = 0;
  if (get_version == nullptr || get_version(&major, &minor) != 0) {
    return Unavailable{std::string(kNotCompiled) + "NVRTC does not tell its version"};
  }
  const int32_t version = 1000 * major + 10 * minor;
  if (major != kCompilerMajorVersion) {
    return Unavailable{std::string(kNotCompiled) + "NVRTC is of version " + format_version(version) + ", needed is " +
                       std::to_string(kCompilerMajorVersion)};
  }
  return RuntimeCompiler{find, version};
}

}  // namespace accelerant::device::cuda
