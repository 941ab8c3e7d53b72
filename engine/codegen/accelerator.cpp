#include "codegen/accelerator.h"

#include "base/error.h"
#include "base/notices.h"
#include "codegen/emulator_compiler.h"
#include "codegen/gpu_accelerator.h"
#include "device/emulator/emulator.h"
#include "device/pinned_memory.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <mutex>
#include <utility>

namespace accelerant::codegen {

namespace fs = std::filesystem;

namespace {

/// Returns the compiler of the process: what it has compiled serves all emulators. It is never destroyed, as a JVM may
/// end while kernels run.
EmulatorCompiler& shared_compiler() {
  static auto& shared = *new EmulatorCompiler();
  return shared;
}

class EmulatedAccelerator final : public Accelerator {
 public:
  EmulatedAccelerator() : compiler_(shared_compiler()), device_(device::emulator::Schedule{}) {}

  const std::string& name() const override { return name_; }
  device::Device& device() override { return device_; }
  KernelCompiler& compiler() override { return compiler_; }
  std::unique_lock<std::mutex> take_turn() override { return std::unique_lock(turn_); }

 private:
  /// All emulators of a process are alike.
  device::DeviceRates measure() override {
    static const device::DeviceRates kRates = device::measure_rates(device_);
    return kRates;
  }

  const std::string name_ = "emulator";
  std::mutex turn_;  ///< it is one thread's at a time
  EmulatorCompiler& compiler_;
  device::emulator::Emulator device_;
};

/// Returns the folder that the folder of the engine's library is in: of the installed package, or `build`.
fs::path package_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&open_gpu), &info) == 0) return {};
  std::error_code ignored;
  return fs::weakly_canonical(info.dli_fname, ignored).parent_path().parent_path();
}

/// Returns the value of a variable of the environment; empty where it has none.
std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Returns the folder in which the user's programs keep what they can make again; empty where there is none.
fs::path cache_folder() {
  const std::string caches = environment("XDG_CACHE_HOME");
  if (!caches.empty()) return fs::path(caches) / "accelerant" / "kernels";
  const std::string home = environment("HOME");
  return home.empty() ? fs::path() : fs::path(home) / ".cache" / "accelerant" / "kernels";
}

/// Opens the NVRTC that the environment names, or that was installed beside the package, or the system's.
std::variant<device::cuda::RuntimeCompiler, device::cuda::Unavailable> open_compiler() {
  const std::string named = environment("ACCELERANT_NVRTC");
  if (!named.empty()) return device::cuda::open_runtime_compiler(named);
  const fs::path beside = package_folder().parent_path() / "nvidia" / "cu13" / "lib" / "libnvrtc.so.13";
  std::error_code ignored;
  return fs::exists(beside, ignored) ? device::cuda::open_runtime_compiler(beside)
                                     : device::cuda::open_runtime_compiler();
}

std::variant<std::shared_ptr<Accelerator>, Unavailable> open_first_gpu() {
  auto driver = device::cuda::open_driver();
  if (const auto* missing = std::get_if<device::cuda::Unavailable>(&driver)) return Unavailable{missing->reason};
  auto opened = open_compiler();
  auto* compiler = std::get_if<device::cuda::RuntimeCompiler>(&opened);
  const auto attached = device::cuda::KernelLibrary::attached_to("/proc/self/exe");
  if (!compiler && !attached) return Unavailable{std::get<device::cuda::Unavailable>(opened).reason};
  return start_gpu({std::get<device::cuda::CudaDriver>(std::move(driver)),
                    compiler ? std::optional(std::move(*compiler)) : std::nullopt,
                    attached.value_or(device::cuda::KernelLibrary(package_folder() / "gpu")), cache_folder()});
}

}  // namespace

const device::DeviceRates& Accelerator::rates() {
  const std::lock_guard lock(mutex_);
  if (!rates_) {
    const auto turn = take_turn();
    rates_ = measure();
  }
  return *rates_;
}

void Accelerator::give_up(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  if (failure_) return;
  failure_ = reason;
  add_notice(name() + " is not used any more, the host does its work: " + reason);
  device().pinned_memory()->close();
}

std::optional<std::string> Accelerator::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

std::variant<std::shared_ptr<Accelerator>, Unavailable> open_gpu() {
  static const auto kOpened = open_first_gpu();
  return kOpened;
}

std::variant<std::shared_ptr<Accelerator>, Unavailable> open_emulator() {
  try {
    return std::make_shared<EmulatedAccelerator>();
  } catch (const Error& error) {
    return Unavailable{error.message()};
  }
}

}  // namespace accelerant::codegen
