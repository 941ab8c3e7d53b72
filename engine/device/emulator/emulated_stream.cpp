#include "device/emulator/emulated_stream.h"

#include "base/error.h"
#include "device/emulator/device_memory.h"
#include "device/emulator/emulator.h"
#include "device/emulator/sanitizer_hooks.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>
#include <vector>

namespace accelerant::device::emulator {

EmulatedStream::Work::Work(EmulatedStream& of_stream, std::function<void()> device_part)
    : stream(of_stream),
      on_device(std::move(device_part)),
      fiber(*stream.work_stacks_, &EmulatedStream::run_on_device, this) {}

EmulatedStream::EmulatedStream(Emulator& device, std::shared_ptr<memory::Budget> budget)
    : DeviceStream(std::move(budget)),
      device_(device),
      work_stacks_(StackPool::of_stream(device.stacks_)),
      kernel_stacks_(StackPool::of_stream(device.stacks_)) {
  device_.streams_.push_back(this);
}

EmulatedStream::~EmulatedStream() {
  try {
    device_.run_until_done(*this);
  } catch (const Error&) {
    drop_work();  // the device keeps the error for who synchronises next
  }
  forget_done();
  std::erase(device_.streams_, this);
}

EmulatedStream::Work& EmulatedStream::enqueue(std::function<void()> on_device) {
  work_.push_back(std::make_unique<Work>(*this, std::move(on_device)));
  return *work_.back();
}

void EmulatedStream::launch(const KernelEntry& kernel, int64_t blocks, const void* arguments) {
  ACC_CHECK(blocks > 0);
  Schedule schedule = device_.schedule_;
  schedule.seed = device_.random_();
  const auto* bytes = static_cast<const char*>(arguments);
  // Whole words, so that the arguments keep their alignment.
  std::vector<max_align_t> copy(static_cast<size_t>(kernel.argument_bytes) / sizeof(max_align_t) + 1);
  std::memcpy(copy.data(), bytes, static_cast<size_t>(kernel.argument_bytes));
  enqueue([this, kernel, blocks, schedule, copy = std::move(copy)] {
    Grid({kernel, blocks, copy.data()}, schedule, *kernel_stacks_).run();
  });
}

void EmulatedStream::copy(void* to, const void* from, int64_t bytes, const void* on_host) {
  if (bytes == 0) return;
  Work& work = enqueue([to, from, bytes] { std::memcpy(to, from, static_cast<size_t>(bytes)); });
  if (on_host != nullptr) work.copied = device_.copied_->add(on_host, bytes);
}

void EmulatedStream::copy_to_device(void* to, const void* from, int64_t bytes) { copy(to, from, bytes, from); }

void EmulatedStream::copy_to_host(void* to, const void* from, int64_t bytes) { copy(to, from, bytes, to); }

void EmulatedStream::copy_on_device(void* to, const void* from, int64_t bytes) { copy(to, from, bytes, nullptr); }

void EmulatedStream::fill(void* to, uint8_t value, int64_t bytes) {
  enqueue([to, value, bytes] { std::memset(to, value, static_cast<size_t>(bytes)); });
}

void* EmulatedStream::allocate_reserved(int64_t bytes, memory::Reservation reservation) {
  const auto poison = static_cast<uint8_t>(0x80 | (device_.random_() & 0x7f));
  return device_.memory_->allocate(bytes, std::move(reservation), poison);
}

void EmulatedStream::exceed_bound() {
  throw Error(ErrorKind::Internal, "emulator: a step allocates more device memory than it has reserved");
}

void EmulatedStream::free(void* memory) {
  enqueue([] {}).on_host = [this, memory] { device_.memory_->free(memory); };
}

std::shared_ptr<DeviceEvent> EmulatedStream::record() {
  auto event = std::make_shared<EmulatedEvent>();
  enqueue([event] { release(&event->token); }).on_host = [event] { event->has_fired = true; };
  return event;
}

void EmulatedStream::wait(const std::shared_ptr<DeviceEvent>& event) {
  auto awaited = std::static_pointer_cast<EmulatedEvent>(event);
  enqueue([awaited] { acquire(&awaited->token); }).awaited = awaited;
}

void EmulatedStream::synchronize() {
  device_.run_until_done(*this);
  forget_done();
}

void EmulatedStream::forget_done() {
  acquire(&token_);
  done_.clear();
  work_stacks_->note_order();
}

bool EmulatedStream::is_ready() const {
  return has_work() && (work_.front()->awaited == nullptr || work_.front()->awaited->has_fired);
}

EmulatedStream::Work& EmulatedStream::run_next() {
  done_.push_back(std::move(work_.front()));
  work_.pop_front();
  Work& work = *done_.back();
  work.fiber.resume();
  if (work.has_failed) {
    acquire(&token_);
    std::rethrow_exception(work.error);
  }
  return work;
}

bool EmulatedStream::run_and_catch(Work& work) {
  try {
    work.on_device();
    return false;
  } catch (const Error&) {
    work.error = std::current_exception();
    return true;
  }
}

// Not instrumented: what the host has to know before it is ordered after the work is no access of the work's.
[[gnu::no_sanitize("thread")]] void EmulatedStream::run_on_device(void* work) {
  auto* self = static_cast<Work*>(work);
  acquire(&self->stream.token_);
  self->has_failed = run_and_catch(*self);
  release(&self->stream.token_);
}

}  // namespace accelerant::device::emulator
