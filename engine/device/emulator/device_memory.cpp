#include "device/emulator/device_memory.h"

#include "base/error.h"
#include "device/memory_bound.h"

#include <cstring>
#include <memory>
#include <utility>

namespace accelerant::device::emulator {

namespace {

/// How many freed allocations are kept out of reach.
constexpr size_t kMaxFreed = 256;

}  // namespace

void* DeviceMemory::allocate(int64_t bytes, memory::Reservation reservation, uint8_t poison) {
  ACC_CHECK(bytes > 0);
  auto memory = std::make_unique<GuardedMemory>(static_cast<size_t>(bytes), kAllocationUnitBytes);
  ACC_CHECK(memory->taken_bytes() <= reservation.bytes());
  char* data = memory->data();
  std::memset(data, poison, memory->size_bytes());
  memory->set_access(false);
  allocations_.emplace(data, Allocation{std::move(reservation), std::move(memory)});
  return data;
}

void DeviceMemory::free(void* memory) {
  const auto found = allocations_.find(static_cast<const char*>(memory));
  ACC_CHECK(found != allocations_.end());
  found->second.memory->set_access(false);
  found->second.memory->drop_content();
  freed_.push_back(std::move(found->second.memory));
  allocations_.erase(found);
  if (freed_.size() > kMaxFreed) freed_.pop_front();
}

void DeviceMemory::set_access(bool allowed) {
  for (auto& [data, allocation] : allocations_) allocation.memory->set_access(allowed);
  is_open_ = allowed;
}

std::string DeviceMemory::describe(const void* address) const {
  const std::string who = is_open_ ? "device code" : "host code";
  const auto* byte = static_cast<const char*>(address);
  auto found = allocations_.upper_bound(byte);
  if (found == allocations_.begin()) return who + " accessed what is no device memory";
  --found;
  const auto size = static_cast<int64_t>(found->second.memory->size_bytes());
  const int64_t offset = byte - found->first;
  const std::string bytes = std::to_string(size) + " bytes of device memory";
  if (offset < size) return who + " accessed byte " + std::to_string(offset) + " of " + bytes;
  return who + " accessed memory " + std::to_string(offset - size) + " bytes past the end of " + bytes;
}

}  // namespace accelerant::device::emulator
