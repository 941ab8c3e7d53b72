#include "device/cuda/cuda_device.h"

#include "base/error.h"
#include "device/cuda/cuda_slabs.h"
#include "device/cuda/cuda_stream.h"

#include <array>

namespace accelerant::device::cuda {

namespace {

// Numbers of the driver's interface.
constexpr int32_t kMajorArchitecture = 75;
constexpr int32_t kMinorArchitecture = 76;
constexpr int32_t kReleaseThreshold = 4;

/// Of memory that is free when a GPU is opened: others have it too, and machine code and stacks take some.
constexpr double kUsedShare = 0.9;

}  // namespace

std::variant<std::unique_ptr<CudaDevice>, Unavailable> CudaDevice::open(const CudaDriver& driver, int32_t ordinal) {
  try {
    std::unique_ptr<CudaDevice> device(new CudaDevice(driver, ordinal));
    if (device->architecture() >= kLowestArchitecture) return device;
    return Unavailable{"no GPU is used: " + device->name() + " is of sm_" + std::to_string(device->architecture()) +
                       ", needed is sm_" + std::to_string(kLowestArchitecture) + " or later"};
  } catch (const Error& error) {
    return Unavailable{"no GPU is used: " + error.message()};
  }
}

CudaDevice::CudaDevice(const CudaDriver& driver, int32_t ordinal) : functions_(driver.find) {
  functions_.get_device(&device_, ordinal);
  std::array<char, 128> name{};
  functions_.get_name(name.data(), static_cast<int32_t>(name.size()) - 1, device_);
  name_ = name.data();
  int32_t major = 0;
  int32_t minor = 0;
  functions_.get_attribute(&major, kMajorArchitecture, device_);
  functions_.get_attribute(&minor, kMinorArchitecture, device_);
  architecture_ = 10 * major + minor;
  if (architecture_ < kLowestArchitecture) return;
  context_ = std::make_shared<const CudaContext>(functions_, device_);
  pinned_ = PinnedMemory::create(std::make_unique<CudaSlabs>(context_), PinnedBounds{}, memory::process_budget());
  make_current();
  keep_freed_memory();
  const auto limit = static_cast<int64_t>(static_cast<double>(read_free_bytes()) * kUsedShare);
  memory_ = std::make_shared<memory::Budget>("memory of " + name_, limit);
}

CudaDevice::~CudaDevice() {
  if (context_ == nullptr) return;
  context_->try_make_current();
  for (const Handle module : modules_) functions_.unload_module.attempt(module);
}

void CudaDevice::keep_freed_memory() const {
  Handle pool = nullptr;
  functions_.get_default_pool(&pool, device_);
  uint64_t everything = ~uint64_t{0};
  functions_.set_pool_attribute(pool, kReleaseThreshold, &everything);
}

int64_t CudaDevice::read_free_bytes() const {
  size_t free = 0;
  size_t all = 0;
  functions_.get_memory(&free, &all);
  return static_cast<int64_t>(free);
}

std::unique_ptr<DeviceStream> CudaDevice::create_stream(std::shared_ptr<memory::Budget> /*host*/) {
  return std::make_unique<CudaStream>(*this, memory_);
}

void CudaDevice::load(std::span<const uint8_t> machine_code) {
  make_current();
  Handle module = nullptr;
  functions_.load_module(&module, machine_code.data());
  const std::lock_guard lock(mutex_);
  modules_.push_back(module);
}

Handle CudaDevice::function_of(const KernelEntry& kernel) {
  const std::lock_guard lock(mutex_);
  Handle& function = kernels_[kernel.name];
  for (auto module = modules_.rbegin(); module != modules_.rend() && function == nullptr; ++module) {
    functions_.get_function.attempt(&function, *module, kernel.name);
  }
  if (function == nullptr)
    throw Error(ErrorKind::Internal, "GPU: no machine code has kernel " + std::string(kernel.name));
  return function;
}

}  // namespace accelerant::device::cuda
