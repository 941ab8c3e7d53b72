#include "device/pinned_memory.h"

#include "memory/memory_wait.h"

#include <algorithm>
#include <bit>
#include <exception>
#include <utility>

namespace accelerant::device {

using memory::Buffer;
using memory::Reservation;

namespace {

/// The budget's share that may be pinned, as nothing else can have it while it is.
constexpr int64_t kBudgetShare = 8;

/// Returns the bytes of slabs for requests of so many: a power of two or one and a half, and a buffer's padding.
int64_t slab_bytes_for(int64_t bytes) {
  const auto power = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(bytes, 256))));
  return (bytes <= power / 4 * 3 ? power / 4 * 3 : power) + Buffer::kPaddingBytes;
}

}  // namespace

/// A slab that a buffer has.
class PinnedMemory::Lease {
 public:
  Lease(std::shared_ptr<PinnedMemory> pool, Slab slab) : pool_(std::move(pool)), slab_(std::move(slab)) {}
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() {
    used_ = {};
    pool_->take_back(std::move(slab_));
  }

  /// Moves the charge for what is used to another budget.
  uint8_t* use(int64_t bytes, const std::shared_ptr<memory::Budget>& budget) {
    slab_.reservation.resize(slab_.bytes - bytes);
    used_ = Reservation(budget, bytes);
    pool_->source_->on_use(slab_.memory, slab_.bytes, bytes);
    return static_cast<uint8_t*>(slab_.memory);
  }

 private:
  const std::shared_ptr<PinnedMemory> pool_;
  Slab slab_;
  Reservation used_;
};

PinnedMemory::PinnedMemory(std::unique_ptr<SlabSource> source, PinnedBounds bounds,
                           std::shared_ptr<memory::Budget> budget)
    : source_(std::move(source)), bounds_(bounds), budget_(std::move(budget)) {}

std::shared_ptr<PinnedMemory> PinnedMemory::create(std::unique_ptr<SlabSource> source, PinnedBounds bounds,
                                                   const std::shared_ptr<memory::Budget>& budget) {
  auto created = std::make_shared<PinnedMemory>(std::move(source), bounds, budget);
  budget->add_reclaimer(created);
  return created;
}

PinnedMemory::~PinnedMemory() { release_kept(0); }

std::shared_ptr<Buffer> PinnedMemory::allocate(int64_t bytes, const std::shared_ptr<memory::Budget>& budget) {
  if (bytes < bounds_.smallest_bytes) return Buffer::allocate(bytes, budget);
  Slab slab = find(slab_bytes_for(bytes));
  return slab.memory == nullptr ? Buffer::allocate(bytes, budget) : lend(std::move(slab), bytes, budget);
}

std::shared_ptr<Buffer> PinnedMemory::lend(Slab slab, int64_t bytes, const std::shared_ptr<memory::Budget>& budget) {
  auto lease = std::make_shared<Lease>(shared_from_this(), std::move(slab));
  uint8_t* const data = lease->use(Buffer::capacity_for(bytes), budget);
  return Buffer::adopt(data, bytes, std::move(lease));
}

/// A larger slab comes before the pinning of one in the place of others: else sizes that take turns would drive each
/// other out.
PinnedMemory::Slab PinnedMemory::find(int64_t bytes) {
  Slab slab = take_kept(bytes, bytes);
  if (slab.memory == nullptr) slab = pin(bytes);
  if (slab.memory == nullptr) slab = take_kept(bytes, INT64_MAX);
  if (slab.memory != nullptr) return slab;
  make_room(bytes);
  return pin(bytes);
}

/// Takes the smallest one of a size in some bounds.
PinnedMemory::Slab PinnedMemory::take_kept(int64_t least_bytes, int64_t most_bytes) {
  const std::lock_guard lock(mutex_);
  auto best = kept_.end();
  for (auto slab = kept_.begin(); slab != kept_.end(); ++slab) {
    if (slab->bytes < least_bytes || slab->bytes > most_bytes) continue;
    if (best == kept_.end() || slab->bytes <= best->bytes) best = slab;
  }
  if (best == kept_.end()) return {};
  Slab taken = std::move(*best);
  kept_.erase(best);
  kept_bytes_ -= taken.bytes;
  return taken;
}

/// Takes the one that was kept longest, if more than some bytes are kept.
PinnedMemory::Slab PinnedMemory::take_oldest(int64_t kept_bytes) {
  const std::lock_guard lock(mutex_);
  if (kept_bytes_ <= kept_bytes) return {};
  Slab taken = std::move(kept_.front());
  kept_.erase(kept_.begin());
  kept_bytes_ -= taken.bytes;
  return taken;
}

PinnedMemory::Slab PinnedMemory::pin(int64_t bytes) {
  if (!take_room(bytes)) return {};
  Slab slab{nullptr, bytes, {}};
  try {
    const memory::WithoutWaiting at_once;
    slab.reservation = Reservation(budget_, bytes);
    slab.memory = source_->allocate(bytes);
  } catch (...) {
    // The budget has no room: memory that is not pinned does as well.
  }
  if (slab.memory != nullptr) return slab;
  const std::lock_guard lock(mutex_);
  pinned_bytes_ -= bytes;
  if (slab.reservation.bytes() > 0) granted_bytes_ = std::min(granted_bytes_, pinned_bytes_);
  return {};
}

int64_t PinnedMemory::most_bytes() const {
  return std::min({bounds_.most_bytes, granted_bytes_, budget_->limit_bytes() / kBudgetShare});
}

bool PinnedMemory::take_room(int64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes > most_bytes() - pinned_bytes_) return false;
  pinned_bytes_ += bytes;
  return true;
}

/// Gives slabs back that stand in the way of a larger one, if that is enough.
void PinnedMemory::make_room(int64_t bytes) noexcept {
  int64_t may_stay;
  {
    const std::lock_guard lock(mutex_);
    may_stay = most_bytes() - bytes - (pinned_bytes_ - kept_bytes_);
  }
  if (may_stay >= 0) release_kept(may_stay);
}

void PinnedMemory::take_back(Slab slab) noexcept {
  source_->on_use(slab.memory, slab.bytes, 0);
  if (!keep(slab)) unpin(slab);
}

/// Returns false where more is pinned than may be, or the budget has no room.
bool PinnedMemory::keep(Slab& slab) noexcept {
  try {
    const memory::WithoutWaiting at_once;
    slab.reservation.resize(slab.bytes);
    const std::lock_guard lock(mutex_);
    if (pinned_bytes_ > most_bytes()) return false;
    kept_.push_back(std::move(slab));
    kept_bytes_ += kept_.back().bytes;
    return true;
  } catch (...) {
    return false;
  }
}

void PinnedMemory::unpin(const Slab& slab) noexcept {
  source_->free(slab.memory, slab.bytes);
  const std::lock_guard lock(mutex_);
  pinned_bytes_ -= slab.bytes;
}

void PinnedMemory::release_kept(int64_t bytes) noexcept {
  for (Slab slab = take_oldest(bytes); slab.memory != nullptr; slab = take_oldest(bytes)) unpin(slab);
}

void PinnedMemory::close() noexcept {
  {
    const std::lock_guard lock(mutex_);
    granted_bytes_ = 0;
  }
  release_kept(0);
}

int64_t PinnedMemory::pinned_bytes() const {
  const std::lock_guard lock(mutex_);
  return pinned_bytes_;
}

int64_t PinnedMemory::kept_bytes() const {
  const std::lock_guard lock(mutex_);
  return kept_bytes_;
}

}  // namespace accelerant::device
