#include "device/emulator/block_thread.h"

#include "device/emulator/resident_block.h"
#include "device/emulator/sanitizer_hooks.h"

#include <string_view>
#include <utility>

// What a fiber notes down for the launcher is no access of the kernel's: nothing here is instrumented for the thread
// sanitizer, but for barriers, which are told to it.

namespace accelerant::device::emulator {

bool Place::operator==(const Place& other) const {
  return line == other.line && std::string_view(file) == std::string_view(other.file);
}

BlockThread::BlockThread(const Surroundings& surroundings, int32_t number)
    : surroundings_(surroundings), number_(number), fiber_(surroundings.launch.stacks, &BlockThread::run, this) {}

[[gnu::noinline, gnu::no_sanitize("thread")]] int32_t BlockThread::number() const { return number_; }

[[gnu::noinline, gnu::no_sanitize("thread")]] int64_t BlockThread::block_index() const {
  return surroundings_.block_index;
}

[[gnu::noinline, gnu::no_sanitize("thread")]] int64_t BlockThread::num_blocks() const {
  return surroundings_.launch.task.num_blocks;
}

[[gnu::noinline, gnu::no_sanitize("thread")]] void BlockThread::stop_at(Stop stop, Place place) {
  stop_ = stop;
  place_ = place;
  fiber_.suspend();
  if (!is_abandoned_) return;
  release(surroundings_.launch.end_token);
  fiber_.suspend();
}

void BlockThread::abandon() {
  if (stop_ == Stop::None || stop_ == Stop::End) return;
  is_abandoned_ = true;
  resume();
}

[[gnu::noinline, gnu::no_sanitize("thread")]] void BlockThread::sync(Place place) {
  char* token = surroundings_.barrier_tokens + num_barriers_++ % 2;
  release(token);
  stop_at(Stop::Barrier, place);
  acquire(token);
}

[[gnu::noinline, gnu::no_sanitize("thread")]] void BlockThread::sync_warp(Place place) {
  char* token = surroundings_.warp_barrier_tokens + num_warp_barriers_++ % 2;
  release(token);
  stop_at(Stop::WarpBarrier, place);
  acquire(token);
}

[[gnu::noinline, gnu::no_sanitize("thread")]] void BlockThread::pause(Stop stop, Place place) { stop_at(stop, place); }

[[gnu::noinline, gnu::no_sanitize("thread")]] void BlockThread::note_write() { has_written_ = true; }

bool BlockThread::take_progress() { return std::exchange(has_written_, false) || stop_ != Stop::AtomicRead; }

[[gnu::noinline, gnu::no_sanitize("thread")]] uint64_t BlockThread::exchange(Stop operation, uint64_t value,
                                                                             int32_t lane, Place place) {
  value_ = value;
  lane_ = lane;
  stop_at(operation, place);
  return value_;
}

namespace {

/// Makes a function for a table of one of BlockThread's.
template <auto kMethod>
struct Forward;
template <class R, class... A, R (BlockThread::*kMethod)(A...)>
struct Forward<kMethod> {
  static R call(void* thread, A... arguments) { return (static_cast<BlockThread*>(thread)->*kMethod)(arguments...); }
};
template <class R, R (BlockThread::*kMethod)() const>
struct Forward<kMethod> {
  static R call(const void* thread) { return (static_cast<const BlockThread*>(thread)->*kMethod)(); }
};

constexpr KernelThread::Calls kCalls = {
    &Forward<&BlockThread::number>::call,     &Forward<&BlockThread::block_index>::call,
    &Forward<&BlockThread::num_blocks>::call, &Forward<&BlockThread::sync>::call,
    &Forward<&BlockThread::sync_warp>::call,  &Forward<&BlockThread::pause>::call,
    &Forward<&BlockThread::note_write>::call, &Forward<&BlockThread::exchange>::call,
};

}  // namespace

[[gnu::noinline, gnu::no_sanitize("thread")]] void BlockThread::run(void* thread) {
  auto* self = static_cast<BlockThread*>(thread);
  const Launch& launch = self->surroundings_.launch;
  KernelThread calls(kCalls, self);
  launch.task.kernel.emulate(calls, self->surroundings_.shared, launch.task.arguments);
  release(launch.end_token);
  self->stop_ = Stop::End;
}

}  // namespace accelerant::device::emulator
