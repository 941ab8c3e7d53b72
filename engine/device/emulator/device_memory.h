#pragma once

#include "device/emulator/mapping.h"
#include "memory/budget.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>

namespace accelerant::device::emulator {

/// The allocations of an emulated device, each in pages of its own, out of reach unless `open`.
class DeviceMemory {
 public:
  /// Opens all allocations while it lives.
  class Access {
   public:
    explicit Access(DeviceMemory& memory) : memory_(memory) { memory_.set_access(true); }
    ~Access() { memory_.set_access(false); }
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;

   private:
    DeviceMemory& memory_;
  };

  /// Returns memory filled with `poison`, all of which is reserved.
  void* allocate(int64_t bytes, memory::Reservation reservation, uint8_t poison);
  /// Puts memory out of reach for good and gives its bytes back to its budget.
  /// @throws Error Internal for what is not, or no more, allocated
  void free(void* memory);
  /// Says what an access to an address is that the system does not allow.
  std::string describe(const void* address) const;

 private:
  struct Allocation {
    memory::Reservation reservation;
    std::unique_ptr<GuardedMemory> memory;
  };

  void set_access(bool allowed);

  bool is_open_ = false;
  std::map<const char*, Allocation> allocations_;  ///< by their first byte
  /// Freed memory, still out of reach so that nothing else comes to lie where it was; the latest last.
  std::deque<std::unique_ptr<GuardedMemory>> freed_;
};

}  // namespace accelerant::device::emulator
