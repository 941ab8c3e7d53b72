#pragma once

#include "memory/budget.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace accelerant::memory {

/// Memory that is reserved before it is known what for, so that who has it can go on where there is none: its own
/// budget draws from it, and nothing that is given back to that budget is another's before `shrink`. Where it is used
/// up it grows as long as the payer has room. It is held as long as somebody has it or memory that is charged to its
/// budget. Where its payer has nothing, a part of it may be no memory: what is more lies on disk then. Any thread.
class PrepaidMemory : public std::enable_shared_from_this<PrepaidMemory>, private BudgetSupply {
 public:
  /// @param payer what it is reserved from
  static std::shared_ptr<PrepaidMemory> create(std::shared_ptr<Budget> payer);
  PrepaidMemory(const PrepaidMemory&) = delete;
  PrepaidMemory& operator=(const PrepaidMemory&) = delete;
  ~PrepaidMemory() override;

  /// Returns the budget that draws from it, and from nothing else. What that has no room for fails without asking
  /// others to give memory back.
  std::shared_ptr<Budget> budget();
  /// Reserves more, so that it has so many bytes, of memory or on disk. Throws as Budget::reserve.
  void grow(int64_t bytes);
  /// Likewise, or returns false.
  [[nodiscard]] bool try_grow(int64_t bytes);
  /// Has so many bytes more that lie on disk, for which nobody is asked; false: there is no disk, as for a Buffer.
  [[nodiscard]] bool lend(int64_t bytes);
  /// Gives back what nothing is charged for, but for so many bytes.
  void shrink(int64_t kept_bytes = 0);

  /// Returns about how many bytes all of the process hold that nothing lies in so far: they are in use of a budget, but
  /// no memory stands behind them.
  static int64_t idle_bytes_of_all();

  int64_t held_bytes() const { return budget_.limit_bytes(); }
  int64_t used_bytes() const { return budget_.used_bytes(); }

 private:
  explicit PrepaidMemory(std::shared_ptr<Budget> payer);
  bool enlarge(int64_t bytes) override;

  void add(int64_t bytes, DiskMemory* disk);

  const std::shared_ptr<Budget> payer_;
  std::mutex mutex_;
  Budget budget_;                         ///< whose limit is what is held
  DiskMemory* disk_ = nullptr;            ///< where what is not reserved lies
  std::atomic<int64_t> unpaid_bytes_{0};  ///< of what is held
};

}  // namespace accelerant::memory
