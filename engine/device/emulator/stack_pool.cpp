#include "device/emulator/stack_pool.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <utility>

namespace accelerant::device::emulator {

namespace {

/// Enough for a sanitizer to print a report on.
constexpr size_t kStackBytes = 64 << 10;

#if defined(__SANITIZE_THREAD__)
constexpr bool kWatchesAccesses = true;
#else
constexpr bool kWatchesAccesses = false;
#endif
/// Of stacks whose accesses are watched: each takes some 18 of the 65,530 mappings that a process may have by default.
constexpr int64_t kManyStacks = 1024;

std::atomic<int64_t> num_stacks{0};

/// Pools of a stream that this thread has ended, and is ordered after, for its next one.
thread_local std::vector<std::unique_ptr<StackPool>> kept_pools;
constexpr size_t kMostPools = 2;
constexpr size_t kMostKept = 512;

void keep(StackPool* pool) {
  auto owned = std::unique_ptr<StackPool>(pool);
  if (kept_pools.size() == kMostPools) return;
  owned->trim(kMostKept);
  kept_pools.push_back(std::move(owned));
}

}  // namespace

Stack::Stack(size_t bytes) : memory(bytes) { num_stacks.fetch_add(1, std::memory_order_relaxed); }

Stack::~Stack() { num_stacks.fetch_sub(1, std::memory_order_relaxed); }

int64_t Stack::count() { return num_stacks.load(std::memory_order_relaxed); }

std::shared_ptr<StackPool> StackPool::of_stream(const std::shared_ptr<StackPool>& common) {
  if (!kWatchesAccesses) return common;
  if (kept_pools.empty()) return {new StackPool, keep};
  auto pool = std::move(kept_pools.back());
  kept_pools.pop_back();
  return {pool.release(), keep};
}

std::unique_ptr<Stack> StackPool::take() {
  if (!spare_.empty()) {
    auto stack = std::move(spare_.back());
    spare_.pop_back();
    return stack;
  }
  if (not_ordered_.empty() || Stack::count() < kManyStacks) return std::make_unique<Stack>(kStackBytes);
  auto stack = std::move(not_ordered_.front());
  not_ordered_.pop_front();
  return stack;
}

void StackPool::give_back(std::unique_ptr<Stack> stack, bool has_ended) {
  // What a fiber that never came to its end has left on it.
  unpoison(stack->memory.data(), stack->memory.size_bytes());
  if (!kWatchesAccesses) {
    spare_.push_back(std::move(stack));
  } else if (has_ended) {
    not_ordered_.push_back(std::move(stack));
  }
}

void StackPool::trim(size_t most) {
  note_order();
  if (spare_.size() > most) spare_.resize(most);
}

void StackPool::note_order() {
  std::ranges::move(not_ordered_, std::back_inserter(spare_));
  not_ordered_.clear();
}

}  // namespace accelerant::device::emulator
