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

BlockThread::BlockThread(ResidentBlock& block, int32_t number)
    : block_(block), number_(number), fiber_(block.launch().stacks, &BlockThread::run, this) {}

[[gnu::no_sanitize("thread")]] int64_t BlockThread::block_index() const { return block_.index(); }

[[gnu::no_sanitize("thread")]] int64_t BlockThread::num_blocks() const { return block_.launch().task.num_blocks; }

[[gnu::noinline, gnu::no_sanitize("thread")]] void BlockThread::stop_at(Stop stop, Place place) {
  stop_ = stop;
  place_ = place;
  fiber_.suspend();
}

[[gnu::no_sanitize("thread")]] void BlockThread::sync(Place place) {
  void* token = block_.barrier_token(num_barriers_++);
  release(token);
  stop_at(Stop::Barrier, place);
  acquire(token);
}

[[gnu::no_sanitize("thread")]] void BlockThread::sync_warp(Place place) {
  void* token = block_.warp_barrier_token(number_, num_warp_barriers_++);
  release(token);
  stop_at(Stop::WarpBarrier, place);
  acquire(token);
}

[[gnu::no_sanitize("thread")]] void BlockThread::pause(Stop stop, Place place) { stop_at(stop, place); }

[[gnu::no_sanitize("thread")]] void BlockThread::note_write() { has_written_ = true; }

bool BlockThread::take_progress() { return std::exchange(has_written_, false) || stop_ != Stop::AtomicRead; }

[[gnu::no_sanitize("thread")]] uint64_t BlockThread::exchange(Stop operation, uint64_t value, int32_t lane,
                                                              Place place) {
  value_ = value;
  lane_ = lane;
  stop_at(operation, place);
  return value_;
}

[[gnu::no_sanitize("thread")]] void BlockThread::run(void* thread) {
  auto* self = static_cast<BlockThread*>(thread);
  const Launch& launch = self->block_.launch();
  launch.task.kernel.emulate(*self, self->block_.shared(), launch.task.arguments);
  release(launch.end_token);
  self->stop_ = Stop::End;
}

}  // namespace accelerant::device::emulator
