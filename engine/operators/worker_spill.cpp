#include "operators/worker_spill.h"

#include "base/error.h"
#include "base/notices.h"
#include "operators/group_set.h"
#include "spill/spill_folders.h"

#include <algorithm>
#include <limits>
#include <thread>

namespace accelerant::operators {

namespace {

/// Something is written in so many blocks at least.
constexpr int64_t kLeastBlocks = 64;
/// Of each partition one.
constexpr int64_t kLeastDealtBlocks = 16;
/// Large enough for a disk.
constexpr int64_t kMostBlockBytes = 1 << 20;
constexpr int64_t kLeastBlockBytes = 16 << 10;
/// By which part memory for writing grows that is not enough.
constexpr int64_t kGrowthPart = 8;

}  // namespace

int64_t spilled_block_bytes(int64_t num_bytes) {
  return std::clamp(num_bytes / kLeastBlocks, kLeastBlockBytes, kMostBlockBytes);
}

int64_t sliced_block_bytes(int64_t num_bytes) {
  return std::clamp(num_bytes / GroupSlices::kCount, kLeastBlockBytes, kMostBlockBytes);
}

int64_t dealt_block_bytes(int64_t num_bytes) {
  return std::clamp(num_bytes / kLeastDealtBlocks, kLeastBlockBytes, kMostBlockBytes);
}

WorkerLease::WorkerLease(SpillingWorker& worker) : worker_(worker) {
  while (worker_.is_busy_.exchange(true)) {
    if (worker_.asks_) return;
    {
      // While it is written.
      const std::lock_guard wait(worker_.spilling_);
    }
    std::this_thread::yield();
  }
  is_held_ = true;
}

WorkerLease::~WorkerLease() {
  if (is_held_) worker_.is_busy_ = false;
}

WorkerSpill::WorkerSpill(const execution::OperatorContext& ctx, std::shared_ptr<spill::SpillTarget> target)
    : ctx_(ctx), target_(std::move(target)), can_spill_(target_->folders.has_any()) {}

void WorkerSpill::enlist(const std::shared_ptr<SpillingWorker>& worker, bool counts) {
  const std::lock_guard lock(mutex_);
  workers_.push_back(worker);
  num_workers_ += counts;
}

void WorkerSpill::leave(SpillingWorker& worker) {
  WorkerLease lease(worker);
  // Of which nobody gets another one.
  worker.asks_ = true;
  lease.keep();
}

std::vector<std::shared_ptr<SpillingWorker>> WorkerSpill::workers() {
  std::vector<std::shared_ptr<SpillingWorker>> alive;
  const std::lock_guard lock(mutex_);
  for (const auto& worker : workers_) {
    if (auto locked = worker.lock()) alive.push_back(std::move(locked));
  }
  return alive;
}

execution::OperatorContext WorkerSpill::context_of(memory::PrepaidMemory& memory,
                                                   const execution::Cancellation& cancellation) const {
  execution::OperatorContext ctx = ctx_;
  ctx.budget = memory.budget();
  ctx.cancellation = &cancellation;
  return ctx;
}

void WorkerSpill::with_memory(SpillingWorker& worker, int64_t least_step, const std::function<void()>& make) {
  bool has_spilled_own = false;
  for (int64_t step = least_step;; step *= 2) {
    try {
      return make();
    } catch (const spill::SpillRefused&) {
      throw;  // what more it is lent would not be there either
    } catch (const Error& error) {
      if (error.error_class() != memory::kOutOfBudget) throw;
    }
    // What was made since then is a part of the same, too much for the memory that it has.
    if (!worker.is_empty() && can_spill_ && !std::exchange(has_spilled_own, true)) {
      spill(worker, *ctx_.cancellation);
    } else {
      grow(worker, *worker.memory_, worker.memory_->held_bytes() + step);
    }
  }
}

void WorkerSpill::grow(SpillingWorker& worker, memory::PrepaidMemory& memory, int64_t bytes) {
  // Others are asked for memory, which wait for this worker in no case then.
  worker.asks_ = true;
  const std::unique_ptr<std::atomic<bool>, void (*)(std::atomic<bool>*)> ends(
      &worker.asks_, [](std::atomic<bool>* asks) { *asks = false; });
  memory.grow(bytes);
}

// What it draws from is the worker's, so that it waits for no memory.
void WorkerSpill::spill(SpillingWorker& worker, const execution::Cancellation& cancellation) {
  const std::lock_guard writing(worker.spilling_);
  worker.must_spill_ = false;
  if (worker.is_empty()) return worker.memory_->shrink();
  target_->folders.check(target_->owner);
  write(worker, cancellation);
  has_spilled_ = true;
  worker.memory_->shrink();
}

void WorkerSpill::try_to_spill(SpillingWorker& worker, const execution::Cancellation& cancellation) noexcept {
  try {
    spill(worker, cancellation);
  } catch (const spill::SpillRefused& refused) {
    // Its worker meets the same when it has to, and says so; who lacks memory fails first, and does not.
    if (!has_complained_.exchange(true)) add_notice(refused.message());
  } catch (...) {
    // It is a step that is made again.
  }
}

void WorkerSpill::spill_if_wanted(SpillingWorker& worker) {
  if (worker.must_spill_) try_to_spill(worker, *ctx_.cancellation);
}

void WorkerSpill::write_in_blocks(int64_t count, int64_t num_bytes, int64_t block_bytes, memory::PrepaidMemory& memory,
                                  const std::function<void(int64_t block_count)>& write) {
  int64_t block_count = std::clamp<int64_t>(count * block_bytes / std::max<int64_t>(num_bytes, 1), 1,
                                            std::numeric_limits<int32_t>::max());
  while (true) {
    try {
      return write(block_count);
    } catch (const spill::SpillRefused&) {
      throw;
    } catch (const Error& error) {
      if (error.error_class() != memory::kOutOfBudget) throw;
      if (memory.try_grow(memory.held_bytes() + memory.held_bytes() / kGrowthPart + 1)) continue;
      if (block_count > 1) {
        block_count /= 2;
      } else if (!memory.lend(std::max(memory.held_bytes(), kLeastBlockBytes))) {
        throw;
      }
    }
  }
}

void WorkerSpill::ask_larger_workers(const SpillingWorker& worker) {
  for (const auto& other : workers()) {
    if (other->memory_->held_bytes() > 2 * worker.memory_->held_bytes()) other->must_spill_ = true;
  }
}

void WorkerSpill::reclaim() noexcept {
  for (const auto& worker : workers()) {
    worker->must_spill_ = true;
    const WorkerLease lease(*worker);
    if (lease.is_held()) try_to_spill(*worker, never_);
  }
}

}  // namespace accelerant::operators
