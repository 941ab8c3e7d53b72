#include "device/cuda/cuda_stream.h"

#include "base/error.h"
#include "device/cuda/cuda_device.h"
#include "execution/outside_call.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace accelerant::device::cuda {

namespace {

/// Does not wait for the stream that the driver has by default.
constexpr uint32_t kNonBlocking = 1;
constexpr uint32_t kNoTiming = 2;

Address address_of(const void* memory) { return reinterpret_cast<Address>(memory); }

struct CudaEvent final : DeviceEvent {
  explicit CudaEvent(const CudaDevice& of_device) : device(of_device) {
    device.functions().create_event(&event, kNoTiming);
  }
  ~CudaEvent() override {
    device.try_make_current();
    device.functions().destroy_event.attempt(event);
  }

  const CudaDevice& device;
  Handle event = nullptr;
};

}  // namespace

CudaStream::CudaStream(CudaDevice& device, std::shared_ptr<memory::Budget> budget)
    : DeviceStream(std::move(budget)), device_(device), functions_(device.functions()) {
  device_.make_current();
  functions_.create_stream(&stream_, kNonBlocking);
}

// What fails here has failed before, and was said where the stream was synchronised.
CudaStream::~CudaStream() {
  device_.try_make_current();
  functions_.synchronize_stream.attempt(stream_);
  functions_.destroy_stream.attempt(stream_);
}

void CudaStream::free(void* memory) {
  device_.try_make_current();
  functions_.free.attempt(address_of(memory), stream_);
  reservations_.erase(memory);
}

void CudaStream::launch(const KernelEntry& kernel, int64_t blocks, const void* arguments) {
  ACC_CHECK(blocks > 0 && blocks <= std::numeric_limits<int32_t>::max());
  device_.make_current();
  // The driver copies the arguments, which it does not write to.
  void* parameters[] = {const_cast<void*>(arguments)};
  functions_.launch(device_.function_of(kernel), static_cast<uint32_t>(blocks), 1, 1,
                    static_cast<uint32_t>(kernel.num_threads), 1, 1, 0, stream_, parameters, nullptr);
}

void CudaStream::copy_to_device(void* to, const void* from, int64_t bytes) {
  if (bytes == 0) return;
  device_.make_current();
  functions_.copy_to_device(address_of(to), from, static_cast<size_t>(bytes), stream_);
}

void CudaStream::copy_to_host(void* to, const void* from, int64_t bytes) {
  if (bytes == 0) return;
  device_.make_current();
  functions_.copy_to_host(to, address_of(from), static_cast<size_t>(bytes), stream_);
}

void CudaStream::copy_on_device(void* to, const void* from, int64_t bytes) {
  if (bytes == 0) return;
  device_.make_current();
  functions_.copy_on_device(address_of(to), address_of(from), static_cast<size_t>(bytes), stream_);
}

void CudaStream::fill(void* to, uint8_t value, int64_t bytes) {
  if (bytes == 0) return;
  device_.make_current();
  functions_.fill(address_of(to), value, static_cast<size_t>(bytes), stream_);
}

std::shared_ptr<DeviceEvent> CudaStream::record() {
  device_.make_current();
  auto event = std::make_shared<CudaEvent>(device_);
  functions_.record_event(event->event, stream_);
  return event;
}

void CudaStream::wait(const std::shared_ptr<DeviceEvent>& event) {
  device_.make_current();
  functions_.wait_for_event(stream_, static_cast<CudaEvent&>(*event).event, 0);
}

void CudaStream::synchronize() {
  device_.make_current();
  const execution::OutsideCall outside;
  functions_.synchronize_stream(stream_);
}

void* CudaStream::allocate_reserved(int64_t bytes, memory::Reservation reservation) {
  device_.make_current();
  Address address = 0;
  functions_.allocate(&address, static_cast<size_t>(std::max<int64_t>(bytes, 1)), stream_);
  auto* const memory = reinterpret_cast<void*>(address);
  reservations_[memory] = std::move(reservation);
  return memory;
}

}  // namespace accelerant::device::cuda
