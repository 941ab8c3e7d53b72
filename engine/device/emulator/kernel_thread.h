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

/// What a kernel may ask of the fiber that it runs on. Nothing but virtual functions, as a kernel may be in a library
/// of its own that was compiled later.
class KernelThread {
 public:
  virtual int32_t number() const = 0;
  virtual int64_t block_index() const = 0;
  virtual int64_t num_blocks() const = 0;
  virtual void sync(Place place) = 0;
  virtual void sync_warp(Place place) = 0;
  /// Stops before an atomic, so that others get ahead of it.
  virtual void pause(Stop stop, Place place) = 0;
  /// Notes that an atomic that was announced as a read has written.
  virtual void note_write() = 0;
  /// Meets the warp in an operation; returns what the launcher made of the values.
  virtual uint64_t exchange(Stop operation, uint64_t value, int32_t lane, Place place) = 0;

 protected:
  ~KernelThread() = default;
};

}  // namespace accelerant::device::emulator
