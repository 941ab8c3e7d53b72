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
  if (!charge(capacity)) return arrow::Status::OutOfMemory("the budget has no memory");
  *out = static_cast<uint8_t*>(allocate(capacity, alignment));
  if (!*out) {
    discharge(capacity);
    return arrow::Status::OutOfMemory("the system has no memory");
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
  is_block(alignment) ? memory::process_blocks().free(buffer, capacity) : std::free(buffer);
  discharge(capacity);
  stats_.DidFreeBytes(size);
}

bool ArrowPool::charge(int64_t bytes) {
  if (refused_ == Refused::IsLent) {
    if (budget_->try_reserve(bytes)) return true;
    const std::lock_guard lock(mutex_);
    lent_bytes_ += bytes;
    return true;
  }
  try {
    budget_->reserve(bytes);
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
