#include "device/cuda/driver.h"

#include "device/cuda/driver_functions.h"

#include <optional>

// The calls of the driver's interface that are used, which its versions keep: CUresult is an int, 0 for success.

namespace accelerant::device::cuda {

namespace {

constexpr const char* kNoGpu = "no GPU is used: ";

/// Calls functions of the driver until one fails, and says which.
class Calls {
 public:
  explicit Calls(const FindSymbol& find) : find_(find) {}

  template <class... Arguments>
  void call(const char* name, Arguments... arguments) {
    if (failure_) return;
    const auto function = reinterpret_cast<int (*)(Arguments...)>(find_(name));
    if (function == nullptr) {
      failure_ = Unavailable{std::string(kNoGpu) + "the NVIDIA driver has no " + name};
      return;
    }
    const int status = function(arguments...);
    if (status != 0) failure_ = Unavailable{kNoGpu + describe_failure(find_, name, status)};
  }
  const std::optional<Unavailable>& failure() const { return failure_; }

 private:
  const FindSymbol& find_;
  std::optional<Unavailable> failure_;
};

}  // namespace

std::variant<CudaDriver, Unavailable> open_driver(const std::string& library) {
  auto opened = open_library(library);
  if (const auto* failure = std::get_if<Unavailable>(&opened)) {
    return Unavailable{std::string(kNoGpu) + "there is no NVIDIA driver (" + failure->reason + ")"};
  }
  return start_driver(std::get<FindSymbol>(opened));
}

std::variant<CudaDriver, Unavailable> start_driver(const FindSymbol& find) {
  CudaDriver driver{find, 0, 0};
  Calls calls(find);
  calls.call("cuDriverGetVersion", &driver.version);
  if (!calls.failure() && driver.version < kLowestDriverVersion) {
    return Unavailable{std::string(kNoGpu) + "the NVIDIA driver is for CUDA " + format_version(driver.version) +
                       ", needed is one for " + format_version(kLowestDriverVersion) + " or later"};
  }
  calls.call("cuInit", 0u);
  calls.call("cuDeviceGetCount", &driver.num_gpus);
  if (calls.failure()) return *calls.failure();
  if (driver.num_gpus == 0) return Unavailable{std::string(kNoGpu) + "the NVIDIA driver shows none"};
  return driver;
}

std::string format_version(int32_t version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace accelerant::device::cuda
