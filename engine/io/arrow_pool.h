#pragma once

#include "base/error.h"
#include "memory/budget.h"
#include "memory/memory_wait.h"

#include <arrow/memory_pool.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace accelerant::io {

/// Charges what Arrow allocates to a budget; where that is exhausted it lies on disk, as a Buffer does. Throws nothing
/// into Arrow's frames: the error of an exhausted budget is kept, for `raise_out_of_memory`.
class ArrowPool final : public arrow::MemoryPool {
 public:
  /// What an allocation comes to that the budget refuses.
  enum class Refused : uint8_t {
    Fails,  ///< a Status
    /// It is made all the same, on disk or else beyond the budget, and nobody is asked for memory; the owner, who looks
    /// after each step, gives some back, or reserves what is beyond it then. For writers: Arrow's hash tables keep a
    /// pointer to what they gave back where they can't have more, and its writer's end goes by it.
    IsLent,
  };

  explicit ArrowPool(std::shared_ptr<memory::Budget> budget, Refused refused = Refused::Fails)
      : budget_(std::move(budget)), refused_(refused) {}

  using arrow::MemoryPool::Allocate;
  using arrow::MemoryPool::Free;
  using arrow::MemoryPool::Reallocate;
  arrow::Status Allocate(int64_t size, int64_t alignment, uint8_t** out) override;
  arrow::Status Reallocate(int64_t old_size, int64_t new_size, int64_t alignment, uint8_t** ptr) override;
  void Free(uint8_t* buffer, int64_t size, int64_t alignment) override;
  int64_t bytes_allocated() const override { return stats_.bytes_allocated(); }
  int64_t max_memory() const override { return stats_.max_memory(); }
  int64_t total_bytes_allocated() const override { return stats_.total_bytes_allocated(); }
  int64_t num_allocations() const override { return stats_.num_allocations(); }
  std::string backend_name() const override { return "accelerant"; }

  /// Throws what Arrow made of an allocation that failed: the error of the budget that refused it last, or MemoryWait
  /// where it would have had to wait.
  [[noreturn]] void raise_out_of_memory() const;
  /// Says whether something that the budget refused is lent.
  bool has_lent() const;
  /// Says whether something lies on disk.
  bool has_any_on_disk() const { return has_any_on_disk_; }
  /// Reserves what is lent. Throws as Budget::reserve.
  void charge_lent();

 private:
  /// Charges or lends bytes, or returns false. Notes why the budget refuses them.
  /// @param on_disk set where they lie on disk, aligned as a Buffer is, and are not charged
  bool charge(int64_t bytes, int64_t alignment, std::shared_ptr<uint8_t>& on_disk);
  /// Returns bytes on disk for which nobody is asked for memory; nullptr: there are none.
  std::shared_ptr<uint8_t> allocate_on_disk(int64_t bytes, int64_t alignment);
  /// Lets go of what lies on disk; false: it does not.
  bool free_on_disk(uint8_t* memory);
  void discharge(int64_t bytes);

  const std::shared_ptr<memory::Budget> budget_;
  const Refused refused_;
  arrow::internal::MemoryPoolStats stats_;
  mutable std::mutex mutex_;
  std::optional<Error> refusal_;                    ///< of the budget, the last one
  mutable std::optional<memory::MemoryWait> wait_;  ///< of the budget, the last one, unless it was thrown
  int64_t lent_bytes_ = 0;                          ///< that were not charged
  std::unordered_map<uint8_t*, std::shared_ptr<uint8_t>> on_disk_;
  std::atomic<bool> has_any_on_disk_{false};
};

}  // namespace accelerant::io
