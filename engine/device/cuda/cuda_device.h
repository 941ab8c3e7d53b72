#pragma once

#include "device/cuda/cuda_context.h"
#include "device/cuda/driver.h"
#include "device/cuda/driver_functions.h"
#include "device/pinned_memory.h"
#include "device/stream.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace accelerant::device::cuda {

/// The oldest GPUs that kernels are compiled for, as sm_75 is written.
inline constexpr int32_t kLowestArchitecture = 75;

/// A GPU. Its memory comes from the driver's pool, which keeps what is freed, up to nine tenths of what was free when
/// it was opened. Any thread.
class CudaDevice final : public Device {
 public:
  /// Opens a GPU. What keeps it from being used is said in one line.
  /// @param ordinal of [0, driver.num_gpus)
  static std::variant<std::unique_ptr<CudaDevice>, Unavailable> open(const CudaDriver& driver, int32_t ordinal);
  ~CudaDevice() override;

  [[nodiscard]] std::unique_ptr<DeviceStream> create_stream(std::shared_ptr<memory::Budget> host) override;
  [[nodiscard]] std::shared_ptr<PinnedMemory> pinned_memory() override { return pinned_; }
  /// Loads machine code with kernels, each a function of its name.
  void load(std::span<const uint8_t> machine_code);

  /// The GPU's name, e.g. "NVIDIA H200".
  const std::string& name() const { return name_; }
  /// What streams allocate is charged to this.
  const std::shared_ptr<memory::Budget>& memory() const { return memory_; }
  /// E.g. 90 for sm_90.
  int32_t architecture() const { return architecture_; }

  // For streams.
  const DriverFunctions& functions() const { return functions_; }
  /// Makes the calling thread one of this GPU's.
  void make_current() const { context_->make_current(); }
  /// Likewise; what fails then says so itself.
  void try_make_current() const { context_->try_make_current(); }
  /// Returns the function of a kernel.
  /// @throws Error Internal where no machine code has it
  Handle function_of(const KernelEntry& kernel);

 private:
  CudaDevice(const CudaDriver& driver, int32_t ordinal);

  void keep_freed_memory() const;
  int64_t read_free_bytes() const;

  const DriverFunctions functions_;
  int32_t device_ = 0;
  std::string name_;
  int32_t architecture_ = 0;
  std::shared_ptr<memory::Budget> memory_;
  std::shared_ptr<const CudaContext> context_;
  std::shared_ptr<PinnedMemory> pinned_;
  std::mutex mutex_;
  std::vector<Handle> modules_;
  std::map<std::string, Handle> kernels_;  ///< by name, of those that were launched
};

}  // namespace accelerant::device::cuda
