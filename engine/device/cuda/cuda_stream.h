#pragma once

#include "device/cuda/driver_functions.h"
#include "device/stream.h"

#include <cstdint>
#include <map>
#include <memory>

namespace accelerant::device::cuda {

class CudaDevice;

/// A stream of a GPU.
class CudaStream final : public DeviceStream {
 public:
  CudaStream(CudaDevice& device, std::shared_ptr<memory::Budget> budget);
  ~CudaStream() override;

  void free(void* memory) override;
  void launch(const KernelEntry& kernel, int64_t blocks, const void* arguments) override;
  void copy_to_device(void* to, const void* from, int64_t bytes) override;
  void copy_to_host(void* to, const void* from, int64_t bytes) override;
  void copy_on_device(void* to, const void* from, int64_t bytes) override;
  void fill(void* to, uint8_t value, int64_t bytes) override;
  [[nodiscard]] std::shared_ptr<DeviceEvent> record() override;
  void wait(const std::shared_ptr<DeviceEvent>& event) override;
  void synchronize() override;
  [[nodiscard]] void* allocate_reserved(int64_t bytes, memory::Reservation reservation) override;

 private:
  CudaDevice& device_;
  const DriverFunctions& functions_;
  Handle stream_ = nullptr;
  std::map<void*, memory::Reservation> reservations_;  ///< by memory
};

}  // namespace accelerant::device::cuda
