#include "device/emulator/emulator.h"

#include "base/error.h"
#include "device/emulator/device_memory.h"
#include "device/emulator/emulated_slabs.h"
#include "device/emulator/emulated_stream.h"

#include <algorithm>
#include <utility>

namespace accelerant::device::emulator {

namespace {

/// Small requests are served too, so that tests have some.
constexpr PinnedBounds kPinnedBounds{.smallest_bytes = 1};

}  // namespace

Emulator::Emulator(const Schedule& schedule)
    : schedule_(schedule),
      random_(schedule.seed),
      memory_(std::make_unique<DeviceMemory>()),
      copied_(std::make_shared<CopiedMemory>()),
      pinned_(PinnedMemory::create(std::make_unique<EmulatedSlabs>(copied_), kPinnedBounds, memory::process_budget())) {
}

Emulator::~Emulator() = default;

std::unique_ptr<DeviceStream> Emulator::create_stream(std::shared_ptr<memory::Budget> host) {
  return std::make_unique<EmulatedStream>(*this, std::move(host));
}

std::string Emulator::describe(const void* address) const { return memory_->describe(address); }

void Emulator::run_until_done(const EmulatedStream& stream) {
  if (!error_) check_copied();
  if (!error_ && stream.has_work()) run_with_memory(stream);
  if (error_) std::rethrow_exception(error_);
}

void Emulator::check_copied() {
  try {
    copied_->check();
  } catch (const Error&) {
    error_ = std::current_exception();
  }
}

// Once for all work: to open memory costs a call of the system for each allocation.
void Emulator::run_with_memory(const EmulatedStream& stream) {
  const DeviceMemory::Access access(*memory_);
  while (!error_ && stream.has_work()) run_next_of(choose_stream());
}

EmulatedStream& Emulator::choose_stream() {
  std::vector<EmulatedStream*> ready;
  std::copy_if(streams_.begin(), streams_.end(), std::back_inserter(ready),
               [](const EmulatedStream* stream) { return stream->is_ready(); });
  // An event is recorded before it can be waited for.
  ACC_CHECK(!ready.empty());
  if (schedule_.turns == Turns::Forward) return *ready.front();
  if (schedule_.turns == Turns::Reverse) return *ready.back();
  return *ready[random_() % ready.size()];
}

void Emulator::run_next_of(EmulatedStream& stream) {
  try {
    const EmulatedStream::Work& work = stream.run_next();
    if (work.on_host) work.on_host();
  } catch (const Error&) {
    error_ = std::current_exception();
    for (EmulatedStream* other : streams_) other->drop_work();
  }
}

}  // namespace accelerant::device::emulator
