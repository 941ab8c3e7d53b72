#include "io/arrow_pool.h"

#include "base/error.h"
#include "memory/blocks.h"
#include "memory/buffer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace accelerant::io {

namespace {

/// Decoders of ours read a few bytes past a page's end, as they may with buffers of ours.
constexpr int64_t kPadding = memory::Buffer::kPaddingBytes;

int64_t capacity_of(int64_t size, int64_t alignment) {
  return (size + kPadding + alignment - 1) / alignment * alignment;
}

/// Says whether blocks of the engine start where Arrow asks for; by default they do.
bool is_block(int64_t alignment) { return alignment <= memory::Blocks::kAlignmentBytes; }

void* allocate(int64_t capacity, int64_t alignment) {
  if (is_block(alignment)) return memory::process_blocks().allocate(capacity);
  return std::aligned_alloc(static_cast<size_t>(alignment), static_cast<size_t>(capacity));
}

}  // namespace

arrow::Status ArrowPool::Allocate(int64_t size, int64_t alignment, uint8_t** out) {
  const int64_t capacity = capacity_of(size, alignment);
  std::shared_ptr<uint8_t> on_disk;
  if (!charge(capacity, alignment, on_disk)) return arrow::Status::OutOfMemory("the budget has no memory");
  *out = on_disk ? on_disk.get() : static_cast<uint8_t*>(allocate(capacity, alignment));
  if (!*out) {
    discharge(capacity);
    return arrow::Status::OutOfMemory("the system has no memory");
  }
  if (on_disk) {
    const std::lock_guard lock(mutex_);
    on_disk_.emplace(*out, std::move(on_disk));
    has_any_on_disk_ = true;
  }
  std::memset(*out + size, 0, static_cast<size_t>(capacity - size));
  stats_.DidAllocateBytes(size);
  return arrow::Status::OK();
}

arrow::Status ArrowPool::Reallocate(int64_t old_size, int64_t new_size, int64_t alignment, uint8_t** ptr) {
  uint8_t* moved = nullptr;
  ARROW_RETURN_NOT_OK(Allocate(new_size, alignment, &moved));
  std::memcpy(moved, *ptr, static_cast<size_t>(std::min(old_size, new_size)));
  Free(*ptr, old_size, alignment);
  *ptr = moved;
  return arrow::Status::OK();
}

void ArrowPool::Free(uint8_t* buffer, int64_t size, int64_t alignment) {
  const int64_t capacity = capacity_of(size, alignment);
#ifndef NDEBUG
  // What reads it afterwards shall not find what was there.
  std::memset(buffer, 1, static_cast<size_t>(size));
#endif
  stats_.DidFreeBytes(size);
  if (free_on_disk(buffer)) return;
  is_block(alignment) ? memory::process_blocks().free(buffer, capacity) : std::free(buffer);
  discharge(capacity);
}

bool ArrowPool::free_on_disk(uint8_t* memory) {
  if (!has_any_on_disk_) return false;
  const std::lock_guard lock(mutex_);
  const bool was_there = on_disk_.erase(memory) > 0;
  has_any_on_disk_ = !on_disk_.empty();
  return was_there;
}

std::shared_ptr<uint8_t> ArrowPool::allocate_on_disk(int64_t bytes, int64_t alignment) {
  memory::DiskMemory* const disk = budget_->disk_memory();
  if (!disk || !is_block(alignment)) return nullptr;
  try {
    std::shared_ptr<uint8_t> memory = disk->allocate(bytes, budget_->name());
    budget_->note_on_disk(bytes);
    return memory;
  } catch (const Error&) {
    return nullptr;
  }
}

bool ArrowPool::charge(int64_t bytes, int64_t alignment, std::shared_ptr<uint8_t>& on_disk) {
  if (refused_ == Refused::IsLent) {
    if (budget_->try_reserve(bytes)) return true;
    on_disk = allocate_on_disk(bytes, alignment);
    if (on_disk) return true;
    const std::lock_guard lock(mutex_);
    lent_bytes_ += bytes;
    return true;
  }
  try {
    if (!is_block(alignment)) {
      budget_->reserve(bytes);
    } else if (memory::DiskMemory* const disk = budget_->reserve_or_find_disk(bytes)) {
      on_disk = disk->allocate(bytes, budget_->name());
    }
    return true;
  } catch (const Error& error) {
    const std::lock_guard lock(mutex_);
    refusal_.emplace(error);
  } catch (const memory::MemoryWait& wait) {
    const std::lock_guard lock(mutex_);
    wait_ = wait;
  }
  return false;
}

void ArrowPool::charge_lent() {
  int64_t bytes = 0;
  {
    const std::lock_guard lock(mutex_);
    bytes = lent_bytes_;
  }
  if (bytes == 0) return;
  budget_->reserve(bytes);
  int64_t too_many = 0;
  {
    const std::lock_guard lock(mutex_);
    too_many = std::max<int64_t>(bytes - lent_bytes_, 0);
    lent_bytes_ -= bytes - too_many;
  }
  budget_->release(too_many);
}

void ArrowPool::discharge(int64_t bytes) {
  if (refused_ == Refused::IsLent) {
    const std::lock_guard lock(mutex_);
    const int64_t lent = std::min(bytes, lent_bytes_);
    lent_bytes_ -= lent;
    bytes -= lent;
  }
  budget_->release(bytes);
}

bool ArrowPool::has_lent() const {
  const std::lock_guard lock(mutex_);
  return lent_bytes_ > 0;
}

void ArrowPool::raise_out_of_memory() const {
  const std::lock_guard lock(mutex_);
  if (wait_) throw *std::exchange(wait_, std::nullopt);
  if (refusal_) throw Error(*refusal_);
  throw Error(ErrorKind::Resource, "the system has no memory");
}

}  // namespace accelerant::io
