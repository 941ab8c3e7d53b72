#pragma once

#include <cstdint>

namespace accelerant::device::emulator {

/// A line of a source, in messages and to tell one barrier from another.
struct Place {
  const char* file = "";
  int line = 0;

  bool operator==(const Place& other) const;
};

/// Why a thread of a block stopped.
enum class Stop : uint8_t {
  None,
  AtomicRead,   ///< is about to read a place that others write; may go on at once
  AtomicWrite,  ///< is about to write one; may go on at once
  Barrier,      ///< waits for its block
  WarpBarrier,  ///< these wait for their warp
  Ballot,
  Shuffle,
  End,  ///< has returned
};

/// What a kernel may ask of the fiber that it runs on. Calls go through a table, as a kernel may be in a library of its
/// own that was compiled later; the table is for ever, so that the thread sanitizer sees nobody free what a kernel
/// reads.
class KernelThread {
 public:
  /// Each takes the thread first.
  struct Calls {
    int32_t (*number)(const void*);
    int64_t (*block_index)(const void*);
    int64_t (*num_blocks)(const void*);
    void (*sync)(void*, Place);
    void (*sync_warp)(void*, Place);
    void (*pause)(void*, Stop, Place);
    void (*note_write)(void*);
    uint64_t (*exchange)(void*, Stop, uint64_t, int32_t, Place);
  };

  KernelThread(const Calls& calls, void* thread) : calls_(&calls), thread_(thread) {}

  int32_t number() const { return calls_->number(thread_); }
  int64_t block_index() const { return calls_->block_index(thread_); }
  int64_t num_blocks() const { return calls_->num_blocks(thread_); }
  void sync(Place place) { calls_->sync(thread_, place); }
  void sync_warp(Place place) { calls_->sync_warp(thread_, place); }
  /// Stops before an atomic, so that others get ahead of it.
  void pause(Stop stop, Place place) { calls_->pause(thread_, stop, place); }
  /// Notes that an atomic that was announced as a read has written.
  void note_write() { calls_->note_write(thread_); }
  /// Meets the warp in an operation; returns what the launcher made of the values.
  uint64_t exchange(Stop operation, uint64_t value, int32_t lane, Place place) {
    return calls_->exchange(thread_, operation, value, lane, place);
  }

 private:
  const Calls* calls_;
  void* thread_;
};

}  // namespace accelerant::device::emulator
