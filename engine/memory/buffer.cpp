#include "memory/buffer.h"

#include "base/error.h"
#include "memory/blocks.h"

#include <cstring>
#include <utility>

namespace accelerant::memory {

static_assert(Buffer::kAlignmentBytes <= Blocks::kAlignmentBytes);

int64_t Buffer::capacity_for(int64_t bytes) {
  ACC_CHECK(bytes >= 0);
  return (bytes + kPaddingBytes + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
}

std::shared_ptr<Buffer> Buffer::allocate(int64_t bytes, std::shared_ptr<Budget> budget) {
  const int64_t capacity = capacity_for(bytes);
  std::shared_ptr<Buffer> buffer(new Buffer);
  DiskMemory* disk = budget->reserve_or_find_disk(capacity);
  const Budget& asker = *budget;
  if (!disk) {
    disk = budget->overdrawn_disk();
    buffer->reservation_ = Reservation::of_reserved(std::move(budget), capacity);
  }
  if (disk) {
    std::shared_ptr<uint8_t> memory = disk->allocate(capacity, asker.name());
    buffer->data_ = memory.get();
    buffer->owner_ = std::move(memory);
  } else {
    buffer->data_ = static_cast<uint8_t*>(process_blocks().allocate(capacity));
    if (!buffer->data_) throw Error(ErrorKind::Resource, "the system has no " + format_bytes(capacity) + " of memory");
  }
  std::memset(buffer->data_ + bytes, 0, static_cast<size_t>(capacity - bytes));
  buffer->size_bytes_ = bytes;
  return buffer;
}

std::shared_ptr<Buffer> Buffer::allocate_zeroed(int64_t bytes, std::shared_ptr<Budget> budget) {
  auto buffer = allocate(bytes, std::move(budget));
  std::memset(buffer->data_, 0, static_cast<size_t>(bytes));
  return buffer;
}

std::shared_ptr<Buffer> Buffer::adopt(uint8_t* data, int64_t bytes, std::shared_ptr<const void> owner) {
  std::shared_ptr<Buffer> buffer(new Buffer);
  buffer->data_ = data;
  buffer->size_bytes_ = bytes;
  buffer->owner_ = std::move(owner);
  std::memset(data + bytes, 0, static_cast<size_t>(capacity_for(bytes) - bytes));
  return buffer;
}

std::shared_ptr<const Buffer> Buffer::foreign(const void* data, int64_t bytes, std::shared_ptr<const void> owner) {
  std::shared_ptr<Buffer> buffer(new Buffer);
  buffer->data_ = const_cast<uint8_t*>(static_cast<const uint8_t*>(data));
  buffer->size_bytes_ = bytes;
  buffer->owner_ = owner ? std::move(owner) : std::make_shared<int>(0);
  return buffer;
}

Buffer::~Buffer() {
  // What is reserved is what was allocated.
  if (!owner_ && data_) process_blocks().free(data_, reservation_.bytes());
}

}  // namespace accelerant::memory
