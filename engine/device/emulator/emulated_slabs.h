#pragma once

#include "device/emulator/copied_memory.h"
#include "device/pinned_memory.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace accelerant::device::emulator {

/// Ordinary memory in the place of pinned memory. What of a slab is not in use is poisoned: filled with a pattern when
/// the slab comes back, and out of reach under ASan. Slabs that come back too early are an error of the device's.
class EmulatedSlabs final : public SlabSource {
 public:
  explicit EmulatedSlabs(std::shared_ptr<CopiedMemory> copied) : copied_(std::move(copied)) {}

  [[nodiscard]] void* allocate(int64_t bytes) noexcept override;
  void free(void* slab, int64_t bytes) noexcept override;
  void on_use(void* slab, int64_t slab_bytes, int64_t used_bytes) noexcept override;

 private:
  const std::shared_ptr<CopiedMemory> copied_;
};

}  // namespace accelerant::device::emulator
