#pragma once

#include "base/error.h"
#include "memory/budget.h"
#include "memory/disk_memory.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

/// A disk that is none: only tests include this.
namespace accelerant::memory::test {

/// Counts what lies on it. It outlives that.
class FakeDiskMemory final : public DiskMemory {
 public:
  std::shared_ptr<uint8_t> allocate(int64_t bytes, const std::string& asker) override {
    if (fails_) throw Error(ErrorKind::Resource, "out of memory: the disk is full").with_class(kOutOfBudget);
    last_asker_ = asker;
    num_bytes_ += bytes;
    auto* memory = static_cast<uint8_t*>(std::aligned_alloc(64, static_cast<size_t>((bytes + 63) / 64 * 64)));
    return {memory, [this, bytes](uint8_t* freed) {
              num_bytes_ -= bytes;
              std::free(freed);
            }};
  }

  int64_t num_bytes() const { return num_bytes_; }
  const std::string& last_asker() const { return last_asker_; }
  void fail() { fails_ = true; }

 private:
  std::atomic<int64_t> num_bytes_{0};
  std::string last_asker_;
  bool fails_ = false;
};

}  // namespace accelerant::memory::test
