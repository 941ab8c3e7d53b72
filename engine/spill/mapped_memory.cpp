#include "spill/mapped_memory.h"

#include "memory/buffer.h"

#include <utility>

namespace accelerant::spill {

namespace {

/// What files are made of: larger memory has its own, of whole pages.
constexpr int64_t kSharedBytes = 4 << 20;
constexpr int64_t kLeastOwnBytes = kSharedBytes / 4;

constexpr int64_t aligned(int64_t bytes) {
  return (bytes + memory::Buffer::kAlignmentBytes - 1) / memory::Buffer::kAlignmentBytes *
         memory::Buffer::kAlignmentBytes;
}

}  // namespace

std::shared_ptr<uint8_t> MappedMemory::allocate(int64_t bytes, const std::string& asker) {
  if (bytes >= kLeastOwnBytes) return folders_.map(bytes, asker);
  const std::lock_guard lock(mutex_);
  std::shared_ptr<uint8_t> shared = shared_.lock();
  if (!shared || kSharedBytes - taken_ < bytes) {
    shared = folders_.map(kSharedBytes, asker);
    shared_ = shared;
    taken_ = 0;
  }
  uint8_t* const piece = shared.get() + taken_;
  taken_ += aligned(bytes);
  return {std::move(shared), piece};
}

MappedMemory& process_mapped_memory() {
  static auto* memory = new MappedMemory(process_folders());
  return *memory;
}

}  // namespace accelerant::spill
