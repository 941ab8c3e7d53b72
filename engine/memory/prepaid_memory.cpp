#include "memory/prepaid_memory.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_set>
#include <utility>

namespace accelerant::memory {

namespace {

/// By how much it grows at least where it is used up, and which part of it.
constexpr int64_t kLeastStep = 16 << 10;
constexpr int64_t kStepPart = 8;

/// All that there are: few, a handful for each worker of a query.
struct Living {
  std::mutex mutex;
  std::unordered_set<const PrepaidMemory*> memories;
  std::atomic<int64_t> last_idle{0};
};

/// Never destroyed: at process exit other threads may still be inside the engine.
Living& living() {
  static auto* all = new Living;
  return *all;
}

}  // namespace

std::shared_ptr<PrepaidMemory> PrepaidMemory::create(std::shared_ptr<Budget> payer) {
  return std::shared_ptr<PrepaidMemory>(new PrepaidMemory(std::move(payer)));
}

PrepaidMemory::PrepaidMemory(std::shared_ptr<Budget> payer) : payer_(std::move(payer)), budget_(payer_->name(), 0) {
  budget_.set_supply(this);
  Living& all = living();
  const std::lock_guard lock(all.mutex);
  all.memories.insert(this);
}

PrepaidMemory::~PrepaidMemory() {
  {
    Living& all = living();
    const std::lock_guard lock(all.mutex);
    all.memories.erase(this);
  }
  payer_->release(held_bytes() - unpaid_bytes_);
}

int64_t PrepaidMemory::idle_bytes_of_all() {
  Living& all = living();
  // Where another thread is at it, what was found last will do.
  const std::unique_lock lock(all.mutex, std::try_to_lock);
  if (!lock.owns_lock()) return all.last_idle.load(std::memory_order_relaxed);
  int64_t idle = 0;
  for (const PrepaidMemory* memory : all.memories) {
    idle += std::max<int64_t>(0, memory->held_bytes() - memory->unpaid_bytes_ - memory->used_bytes());
  }
  all.last_idle.store(idle, std::memory_order_relaxed);
  return idle;
}

std::shared_ptr<Budget> PrepaidMemory::budget() { return {shared_from_this(), &budget_}; }

void PrepaidMemory::grow(int64_t bytes) {
  const int64_t more = bytes - held_bytes();
  if (more <= 0) return;
  // Without the lock, as reclaimers may shrink it meanwhile.
  DiskMemory* const disk = payer_->reserve_or_find_disk(more);
  add(more, disk);
}

void PrepaidMemory::add(int64_t bytes, DiskMemory* disk) {
  const std::lock_guard lock(mutex_);
  if (disk) {
    disk_ = disk;
    unpaid_bytes_ += bytes;
    budget_.set_overdraft(unpaid_bytes_, disk);
  }
  budget_.set_limit_bytes(held_bytes() + bytes);
}

// In steps, as what grows does so again; where there is no room for a step, by what lacks.
bool PrepaidMemory::enlarge(int64_t bytes) {
  const int64_t held = held_bytes();
  const int64_t wanted = used_bytes() + bytes;
  if (wanted <= held) return true;
  return try_grow(std::max(wanted, held + std::max(kLeastStep, held / kStepPart))) || try_grow(wanted);
}

bool PrepaidMemory::try_grow(int64_t bytes) {
  const int64_t more = bytes - held_bytes();
  if (more <= 0) return true;
  if (!payer_->try_reserve(more)) return false;
  add(more, nullptr);
  return true;
}

bool PrepaidMemory::lend(int64_t bytes) {
  DiskMemory* const disk = payer_->disk_memory();
  if (!disk) return false;
  payer_->note_on_disk(bytes);
  add(bytes, disk);
  return true;
}

void PrepaidMemory::shrink(int64_t kept_bytes) {
  const std::lock_guard lock(mutex_);
  const int64_t unused = held_bytes() - used_bytes() - kept_bytes;
  if (unused <= 0) return;
  const int64_t unpaid = std::min(unused, unpaid_bytes_.load());
  unpaid_bytes_ -= unpaid;
  budget_.set_limit_bytes(held_bytes() - unused);
  budget_.set_overdraft(unpaid_bytes_, disk_);
  payer_->release(unused - unpaid);
}

}  // namespace accelerant::memory
