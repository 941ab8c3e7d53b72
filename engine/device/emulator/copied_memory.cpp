#include "device/emulator/copied_memory.h"

#include "base/error.h"

#include <algorithm>

namespace accelerant::device::emulator {

CopiedMemory::Entry CopiedMemory::add(const void* memory, int64_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto range = ranges_.emplace(static_cast<const char*>(memory), bytes);
  return {memory, [self = shared_from_this(), range](const void*) {
            const std::lock_guard of_self(self->mutex_);
            self->ranges_.erase(range);
          }};
}

void CopiedMemory::note_freed(const void* memory, int64_t bytes) {
  const auto* const begin = static_cast<const char*>(memory);
  const std::lock_guard lock(mutex_);
  is_freed_early_ |= std::ranges::any_of(ranges_, [&](const Ranges::value_type& range) {
    return range.first < begin + bytes && begin < range.first + range.second;
  });
}

void CopiedMemory::check() const {
  const std::lock_guard lock(mutex_);
  if (is_freed_early_) {
    throw Error(ErrorKind::Internal, "pinned memory was given up before a stream that copies it was synchronised");
  }
}

}  // namespace accelerant::device::emulator
