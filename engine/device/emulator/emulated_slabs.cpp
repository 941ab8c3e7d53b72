#include "device/emulator/emulated_slabs.h"

#include "device/emulator/sanitizer_hooks.h"

#include <cstdlib>
#include <cstring>

namespace accelerant::device::emulator {

namespace {

constexpr int kPattern = 0xdb;

}  // namespace

void* EmulatedSlabs::allocate(int64_t bytes) noexcept {
  constexpr auto kAlignment = static_cast<size_t>(memory::Buffer::kAlignmentBytes);
  return std::aligned_alloc(kAlignment, (static_cast<size_t>(bytes) + kAlignment - 1) / kAlignment * kAlignment);
}

void EmulatedSlabs::free(void* slab, int64_t bytes) noexcept {
  unpoison(slab, static_cast<size_t>(bytes));
  std::free(slab);
}

void EmulatedSlabs::on_use(void* slab, int64_t slab_bytes, int64_t used_bytes) noexcept {
  auto* const bytes = static_cast<char*>(slab);
  unpoison(bytes, static_cast<size_t>(slab_bytes));
  if (used_bytes == 0) {
    copied_->note_freed(slab, slab_bytes);
    std::memset(bytes, kPattern, static_cast<size_t>(slab_bytes));
  }
  poison(bytes + used_bytes, static_cast<size_t>(slab_bytes - used_bytes));
}

}  // namespace accelerant::device::emulator
