#include "damaged_accelerator.h"

#include <utility>
#include <vector>

namespace accelerant::gpu_check {

namespace {

class DamagedStream final : public device::DeviceStream {
 public:
  DamagedStream(std::unique_ptr<device::DeviceStream> stream, int64_t least_bytes)
      : DeviceStream(stream->budget()), stream_(std::move(stream)), least_bytes_(least_bytes) {}

  void free(void* memory) override { stream_->free(memory); }
  void launch(const device::KernelEntry& kernel, int64_t blocks, const void* arguments) override {
    stream_->launch(kernel, blocks, arguments);
  }
  void copy_to_device(void* to, const void* from, int64_t bytes) override { stream_->copy_to_device(to, from, bytes); }
  void copy_to_host(void* to, const void* from, int64_t bytes) override {
    stream_->copy_to_host(to, from, bytes);
    if (bytes >= least_bytes_) copies_.push_back(static_cast<uint8_t*>(to));
  }
  void copy_on_device(void* to, const void* from, int64_t bytes) override { stream_->copy_on_device(to, from, bytes); }
  void fill(void* to, uint8_t value, int64_t bytes) override { stream_->fill(to, value, bytes); }
  [[nodiscard]] std::shared_ptr<device::DeviceEvent> record() override { return stream_->record(); }
  void wait(const std::shared_ptr<device::DeviceEvent>& event) override { stream_->wait(event); }
  /// Numbers become less by one where that does not change other bytes: what counts rows still fits what was counted.
  void synchronize() override {
    stream_->synchronize();
    for (uint8_t* copy : std::exchange(copies_, {})) *copy = *copy == 0 ? 1 : static_cast<uint8_t>(*copy - 1);
  }
  [[nodiscard]] void* allocate_reserved(int64_t bytes, memory::Reservation reservation) override {
    return stream_->allocate_reserved(bytes, std::move(reservation));
  }

 private:
  const std::unique_ptr<device::DeviceStream> stream_;
  const int64_t least_bytes_;
  std::vector<uint8_t*> copies_;  ///< since it was synchronised last
};

class DamagedDevice final : public device::Device {
 public:
  DamagedDevice(device::Device& device, int64_t least_bytes) : device_(device), least_bytes_(least_bytes) {}
  [[nodiscard]] std::unique_ptr<device::DeviceStream> create_stream(std::shared_ptr<memory::Budget> host) override {
    return std::make_unique<DamagedStream>(device_.create_stream(std::move(host)), least_bytes_);
  }
  [[nodiscard]] std::shared_ptr<device::PinnedMemory> pinned_memory() override { return device_.pinned_memory(); }

 private:
  device::Device& device_;
  const int64_t least_bytes_;
};

class DamagedAccelerator final : public codegen::Accelerator {
 public:
  DamagedAccelerator(std::shared_ptr<codegen::Accelerator> accelerator, int64_t least_bytes)
      : accelerator_(std::move(accelerator)), device_(accelerator_->device(), least_bytes) {}

  const std::string& name() const override { return accelerator_->name(); }
  std::string description() const override { return accelerator_->description() + ", damaged"; }
  device::Device& device() override { return device_; }
  codegen::KernelCompiler& compiler() override { return accelerator_->compiler(); }
  std::unique_lock<std::mutex> take_turn() override { return accelerator_->take_turn(); }

 private:
  const std::shared_ptr<codegen::Accelerator> accelerator_;
  DamagedDevice device_;
};

}  // namespace

std::shared_ptr<codegen::Accelerator> damaged(std::shared_ptr<codegen::Accelerator> accelerator, int64_t least_bytes) {
  return std::make_shared<DamagedAccelerator>(std::move(accelerator), least_bytes);
}

}  // namespace accelerant::gpu_check
