#pragma once

#include "memory/disk_memory.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace accelerant::memory {

/// The class of the Error of a budget that is exhausted.
inline constexpr const char* kOutOfBudget = "OUT_OF_BUDGET";

/// Who keeps memory for later uses, and can do without.
class MemoryReclaimer {
 public:
  virtual ~MemoryReclaimer() = default;
  /// Gives back what it keeps, with what is reserved for it. Asks nobody for memory. Any thread.
  virtual void reclaim() noexcept = 0;
};

/// What a budget is enlarged by.
class BudgetSupply {
 public:
  virtual ~BudgetSupply() = default;
  /// Raises the budget's limit by so many bytes at least where that takes nothing from anybody; else returns false. Any
  /// thread.
  virtual bool enlarge(int64_t bytes) = 0;
};

class Budget;

/// Decides what becomes of a step that lacks memory. Any thread.
class MemoryArbiter {
 public:
  virtual ~MemoryArbiter() = default;
  /// Called where a budget has no room for so many bytes, and nothing could be reclaimed. Returns where the step, if
  /// its thread makes one, is to fail.
  /// @throws MemoryWait where it is to wait
  virtual void judge(Budget& exhausted, int64_t bytes) = 0;
  /// Called when something was given back to a budget that has waiters.
  virtual void note_release(Budget& budget) noexcept = 0;
};

/// A limit on bytes that several parties draw from. Budgets form a tree (process, query, operator): what a child
/// reserves, its parents reserve too. Thread-safe. A child must not outlive its parent; memory charged to it keeps it
/// alive (see Reservation).
class Budget {
 public:
  static constexpr int64_t kUnlimited = INT64_MAX;

  /// Makes a budget of `limit_bytes`. `name` is what messages call it, e.g. "query budget", "HashAggregate"; `remedy`,
  /// what they advise when it is exhausted, e.g. "raise x".
  Budget(std::string name, int64_t limit_bytes, std::shared_ptr<Budget> parent = nullptr, std::string remedy = "");

  /// Reserves `bytes` here and in every parent, or throws Error{Resource} naming the asker, the budget that is
  /// exhausted, its limit, its use and its remedy, or MemoryWait where there will be room.
  void reserve(int64_t bytes);
  /// Reserves like `reserve`; nullptr. Where that would throw an Error, and what is asked for may lie on disk, reserves
  /// nothing and returns where. For what is nothing but bytes: see Buffer.
  [[nodiscard]] DiskMemory* reserve_or_find_disk(int64_t bytes);
  /// Reserves like `reserve`, or returns false and reserves nothing.
  [[nodiscard]] bool try_reserve(int64_t bytes);
  /// Has a reclaimer, as long as it lives, give back what it keeps before `reserve` fails for want of this budget or a
  /// parent.
  void add_reclaimer(const std::shared_ptr<MemoryReclaimer>& reclaimer);
  /// Has a supply, which outlives it, asked before `reserve` fails for want of this budget.
  void set_supply(BudgetSupply* supply) { supply_ = supply; }
  /// Gives back `bytes` that were reserved before. Never fails.
  void release(int64_t bytes) noexcept;

  /// Of a budget without a parent: who decides what becomes of steps that lack memory of this one, or of those that
  /// draw from it. It outlives them. Without one they fail.
  void set_arbiter(MemoryArbiter* arbiter) { arbiter_ = arbiter; }
  bool is_root() const { return !parent_; }
  /// Of a budget without a parent: where that may lie for which neither it nor one that draws from it has room. It
  /// outlives them.
  void set_disk_memory(DiskMemory* disk) { disk_memory_ = disk; }
  /// Returns where that is; nullptr: nowhere, or ReservationFaults has what is made to fail fail.
  DiskMemory* disk_memory() const;
  /// Of a budget without a parent: says that so many bytes of its limit are no memory, but may lie on disk.
  void set_overdraft(int64_t bytes, DiskMemory* disk);
  /// Returns where memory lies that was just reserved where what is in use goes beyond what is memory; else nullptr.
  DiskMemory* overdrawn_disk() const;
  /// Counts bytes that lie on disk in its name, and in its parents'.
  void note_on_disk(int64_t bytes);
  /// Returns how many have been counted.
  int64_t on_disk_bytes() const { return on_disk_bytes_.load(std::memory_order_relaxed); }
  /// Returns the bytes that this thread has reserved, less those that it gave back, where an arbiter decides.
  static int64_t reserved_by_thread();
  /// Says whether so many bytes could be reserved, as far as this budget goes.
  bool has_room(int64_t bytes) const { return bytes <= limit_bytes() - used_bytes_.load(); }
  /// Counts steps that wait for it; for an arbiter.
  void add_waiter() { num_waiters_.fetch_add(1); }
  void remove_waiter() { num_waiters_.fetch_sub(1); }

  int64_t used_bytes() const { return used_bytes_.load(std::memory_order_relaxed); }
  int64_t peak_bytes() const { return peak_bytes_.load(std::memory_order_relaxed); }
  int64_t limit_bytes() const { return limit_bytes_.load(std::memory_order_relaxed); }
  void set_limit_bytes(int64_t bytes) { limit_bytes_.store(bytes, std::memory_order_relaxed); }
  const std::string& name() const { return name_; }

 private:
  /// Returns the first budget from here to the root that can't take `bytes`, having reserved nothing; null when all
  /// could.
  Budget* reserve_or_find_exhausted(int64_t bytes);
  /// Likewise, once the budget was enlarged, if it has a supply.
  Budget* reserve_enlarged(int64_t bytes);
  /// Reserves; where there is no room asks reclaimers and the arbiter. Returns what is exhausted, or null.
  Budget* reserve_or_ask(int64_t bytes);
  /// For tests: see ReservationFaults, which leaves alone what nothing limits.
  bool is_made_to_fail() const;
  bool is_limited() const;
  /// Says whether there were any.
  bool ask_reclaimers();
  [[noreturn]] void throw_exhausted(const Budget& exhausted, int64_t bytes) const;
  const Budget& root() const;

  const std::string name_;
  const std::string remedy_;
  std::atomic<int64_t> limit_bytes_;
  const std::shared_ptr<Budget> parent_;
  BudgetSupply* supply_ = nullptr;
  std::atomic<int64_t> used_bytes_{0};
  std::atomic<int64_t> peak_bytes_{0};
  std::atomic<int> num_waiters_{0};
  std::atomic<MemoryArbiter*> arbiter_{nullptr};
  std::atomic<DiskMemory*> disk_memory_{nullptr};
  std::atomic<DiskMemory*> overdraft_disk_{nullptr};
  std::atomic<int64_t> overdraft_bytes_{0};
  std::atomic<int64_t> on_disk_bytes_{0};
  std::mutex mutex_;
  std::vector<std::weak_ptr<MemoryReclaimer>> reclaimers_;
};

/// Bytes reserved from a budget, given back on destruction. Movable.
class Reservation {
 public:
  Reservation() = default;
  /// Reserves `bytes` from `budget`, or throws as Budget::reserve does.
  Reservation(std::shared_ptr<Budget> budget, int64_t bytes);
  /// Holds `bytes` that were reserved from `budget` before.
  static Reservation of_reserved(std::shared_ptr<Budget> budget, int64_t bytes);
  Reservation(Reservation&& other) noexcept;
  Reservation& operator=(Reservation&& other) noexcept;
  ~Reservation();

  /// Parts with `bytes`, at most as many as it has, which what is returned holds.
  [[nodiscard]] Reservation split(int64_t bytes);
  /// Grows or shrinks to `bytes`; throws as Budget::reserve does and then keeps its size.
  void resize(int64_t bytes);
  int64_t bytes() const { return bytes_; }

 private:
  std::shared_ptr<Budget> budget_;
  int64_t bytes_ = 0;
};

/// Returns bytes for people, e.g. "12.3 MiB".
std::string format_bytes(int64_t bytes);

/// Returns the process budget, whose limit a host sets once; until then it is default_limit_bytes() beside no heap.
const std::shared_ptr<Budget>& process_budget();

}  // namespace accelerant::memory
