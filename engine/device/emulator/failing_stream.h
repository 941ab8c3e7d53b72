#pragma once

#include "base/error.h"
#include "device/stream.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace accelerant::device::emulator {

/// Another stream, of which one allocation fails for want of memory: only tests include this.
class FailingStream final : public DeviceStream {
 public:
  /// @param stream outlives this
  /// @param num_good how many allocations come before the one that fails
  FailingStream(DeviceStream& stream, int64_t num_good)
      : DeviceStream(stream.budget()), stream_(stream), num_good_(num_good) {}

  /// Says whether the allocation that fails has come.
  bool has_failed() const { return num_good_ < 0; }

  void free(void* memory) override { stream_.free(memory); }
  void launch(const KernelEntry& kernel, int64_t blocks, const void* arguments) override {
    stream_.launch(kernel, blocks, arguments);
  }
  void copy_to_device(void* to, const void* from, int64_t bytes) override { stream_.copy_to_device(to, from, bytes); }
  void copy_to_host(void* to, const void* from, int64_t bytes) override { stream_.copy_to_host(to, from, bytes); }
  void copy_on_device(void* to, const void* from, int64_t bytes) override { stream_.copy_on_device(to, from, bytes); }
  void fill(void* to, uint8_t value, int64_t bytes) override { stream_.fill(to, value, bytes); }
  [[nodiscard]] std::shared_ptr<DeviceEvent> record() override { return stream_.record(); }
  void wait(const std::shared_ptr<DeviceEvent>& event) override { stream_.wait(event); }
  void synchronize() override { stream_.synchronize(); }
  [[nodiscard]] void* allocate_reserved(int64_t bytes, memory::Reservation reservation) override {
    if (num_good_-- == 0) throw Error(ErrorKind::Resource, "the device has no room");
    return stream_.allocate_reserved(bytes, std::move(reservation));
  }

 private:
  DeviceStream& stream_;
  int64_t num_good_;
};

}  // namespace accelerant::device::emulator
