#include "expressions/buffer_pool.h"

#include <array>
#include <bit>
#include <mutex>
#include <vector>

namespace accelerant::expressions {

namespace {

constexpr int64_t kSmallestBytes = 1 << 10;
constexpr int kSizeClasses = 12;  // up to 2 MiB
constexpr size_t kKeptPerClass = 8;

int size_class(int64_t bytes) {
  return std::bit_width(static_cast<uint64_t>((std::max<int64_t>(bytes, 1) - 1) / kSmallestBytes));
}

}  // namespace

/// The buffers nobody uses, by size class. Closed when the pool goes.
struct BufferPool::Shelf {
  std::mutex mutex;
  bool open = true;
  std::array<std::vector<std::shared_ptr<memory::Buffer>>, kSizeClasses> free;
};

BufferPool::BufferPool(std::shared_ptr<memory::Budget> budget)
    : budget_(std::move(budget)), shelf_(std::make_shared<Shelf>()) {}

BufferPool::~BufferPool() {
  std::scoped_lock lock(shelf_->mutex);
  shelf_->open = false;
  for (auto& buffers : shelf_->free) buffers.clear();
}

std::shared_ptr<memory::Buffer> BufferPool::allocate(int64_t bytes) {
  const int kind = size_class(bytes);
  if (kind >= kSizeClasses) return memory::Buffer::allocate(bytes, budget_);
  std::shared_ptr<memory::Buffer> owner;
  {
    std::scoped_lock lock(shelf_->mutex);
    auto& buffers = shelf_->free[static_cast<size_t>(kind)];
    if (!buffers.empty()) {
      owner = std::move(buffers.back());
      buffers.pop_back();
    }
  }
  if (!owner) owner = memory::Buffer::allocate(kSmallestBytes << kind, budget_);
  memory::Buffer* buffer = owner.get();
  return {buffer, [owner = std::move(owner), shelf = shelf_, kind](memory::Buffer*) mutable {
            std::scoped_lock lock(shelf->mutex);
            auto& buffers = shelf->free[static_cast<size_t>(kind)];
            if (shelf->open && buffers.size() < kKeptPerClass) buffers.push_back(std::move(owner));
          }};
}

}  // namespace accelerant::expressions
