#pragma once

#include "memory/buffer.h"

#include <memory>

namespace accelerant::expressions {

/// Emits buffers charged to one budget, and takes back those of the usual sizes when their last holder lets go of
/// them, so that batch after batch computes in the same warm memory. A buffer may be let go of by any thread, also
/// after the pool is gone.
class BufferPool {
 public:
  explicit BufferPool(std::shared_ptr<memory::Budget> budget);
  ~BufferPool();
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  /// Returns at least `bytes` uninitialised bytes (`size_bytes` may be larger); throws as Budget::reserve does.
  std::shared_ptr<memory::Buffer> allocate(int64_t bytes);
  const std::shared_ptr<memory::Budget>& budget() const { return budget_; }

 private:
  struct Shelf;
  std::shared_ptr<memory::Budget> budget_;
  std::shared_ptr<Shelf> shelf_;
};

}  // namespace accelerant::expressions
