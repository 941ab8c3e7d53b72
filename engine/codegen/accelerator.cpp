#include "codegen/accelerator.h"

#include "base/error.h"
#include "codegen/emulator_compiler.h"
#include "device/cuda/driver.h"
#include "device/emulator/emulator.h"

#include <mutex>
#include <utility>

namespace accelerant::codegen {

namespace {

class EmulatedAccelerator final : public Accelerator {
 public:
  explicit EmulatedAccelerator(std::shared_ptr<EmulatorCompiler> compiler)
      : compiler_(std::move(compiler)), device_(device::emulator::Schedule{}) {}

  const std::string& name() const override { return name_; }
  device::Device& device() override { return device_; }
  KernelCompiler& compiler() override { return *compiler_; }

 private:
  const std::string name_ = "emulator";
  const std::shared_ptr<EmulatorCompiler> compiler_;
  device::emulator::Emulator device_;
};

/// Returns the compiler of the process: what it has compiled serves all emulators.
std::shared_ptr<EmulatorCompiler> shared_compiler() {
  static std::mutex mutex;
  static std::weak_ptr<EmulatorCompiler> shared;
  const std::lock_guard lock(mutex);
  auto compiler = shared.lock();
  if (!compiler) shared = compiler = std::make_shared<EmulatorCompiler>();
  return compiler;
}

std::variant<std::shared_ptr<Accelerator>, Unavailable> open_first_gpu() {
  const auto driver = device::cuda::open_driver();
  if (const auto* missing = std::get_if<device::cuda::Unavailable>(&driver)) return Unavailable{missing->reason};
  return Unavailable{"pipelines do not run on GPUs yet"};
}

}  // namespace

std::variant<std::shared_ptr<Accelerator>, Unavailable> open_gpu() {
  static const auto kOpened = open_first_gpu();
  return kOpened;
}

std::variant<std::shared_ptr<Accelerator>, Unavailable> open_emulator() {
  try {
    return std::make_shared<EmulatedAccelerator>(shared_compiler());
  } catch (const Error& error) {
    return Unavailable{error.message()};
  }
}

}  // namespace accelerant::codegen
