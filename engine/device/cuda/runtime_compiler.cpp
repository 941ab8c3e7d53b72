#include "device/cuda/runtime_compiler.h"

#include "base/error.h"
#include "device/cuda/driver.h"

#include <iterator>

namespace accelerant::device::cuda {

namespace {

constexpr const char* kNotCompiled = "nothing is compiled for a GPU: ";

/// What NVRTC's functions return: 0 for success.
using Status = int;
using Handle = void*;

/// A program while it is compiled.
class Compilation {
 public:
  Compilation(const FindSymbol& find, const CudaProgram& program) : find_(find), program_(program) {
    std::vector<const char*> names;
    std::vector<const char*> texts;
    for (const auto& [name, text] : program.headers) {
      names.push_back(name.c_str());
      texts.push_back(text.c_str());
    }
    require("nvrtcCreateProgram", call("nvrtcCreateProgram", &handle_, program.source.c_str(), program.name.c_str(),
                                       static_cast<int>(names.size()), texts.data(), names.data()));
  }
  ~Compilation() {
    const auto destroy = reinterpret_cast<Status (*)(Handle*)>(find_("nvrtcDestroyProgram"));
    if (destroy != nullptr) destroy(&handle_);
  }
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  void compile(const std::vector<const char*>& options) const {
    require("nvrtcCompileProgram",
            call("nvrtcCompileProgram", handle_, static_cast<int>(options.size()), options.data()));
  }

  std::vector<uint8_t> machine_code() const {
    size_t size = 0;
    require("nvrtcGetCUBINSize", call("nvrtcGetCUBINSize", handle_, &size));
    std::vector<uint8_t> code(size);
    require("nvrtcGetCUBIN", call("nvrtcGetCUBIN", handle_, reinterpret_cast<char*>(code.data())));
    return code;
  }

  std::string log() const {
    size_t size = 0;
    if (handle_ == nullptr || call("nvrtcGetProgramLogSize", handle_, &size) != 0) return "";
    std::string text(size, '\0');
    if (call("nvrtcGetProgramLog", handle_, text.data()) != 0) return "";
    return text.c_str();
  }

 private:
  template <class... Arguments>
  Status call(const char* name, Arguments... arguments) const {
    const auto function = reinterpret_cast<Status (*)(Arguments...)>(find_(name));
    if (function == nullptr) throw Error(ErrorKind::Internal, "NVRTC has no " + std::string(name));
    return function(arguments...);
  }

  void require(const char* name, Status status) const {
    if (status == 0) return;
    const std::string said = log();
    throw Error(ErrorKind::Internal, program_.name + ": " + name + " failed with status " + std::to_string(status) +
                                         (said.empty() ? "" : "\n" + said));
  }

  const FindSymbol& find_;
  const CudaProgram& program_;
  Handle handle_ = nullptr;
};

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

MachineCode compile(const RuntimeCompiler& compiler, const CudaProgram& program, int32_t architecture,
                    const std::vector<std::string>& more_options) {
  const std::string of_architecture = "--gpu-architecture=sm_" + std::to_string(architecture);
  std::vector<const char*> options(std::begin(kCompilerOptions), std::end(kCompilerOptions));
  options.push_back(of_architecture.c_str());
  for (const std::string& option : more_options) options.push_back(option.c_str());
  Compilation compilation(compiler.find, program);
  compilation.compile(options);
  return {compilation.machine_code(), compilation.log()};
}

}  // namespace accelerant::device::cuda
