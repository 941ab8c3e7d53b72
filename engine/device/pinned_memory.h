#pragma once

#include "memory/budget.h"
#include "memory/buffer.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace accelerant::device {

/// Where slabs of pinned memory come from. Any thread.
class SlabSource {
 public:
  virtual ~SlabSource() = default;
  /// Returns memory that starts at a multiple of memory::Buffer::kAlignmentBytes; nullptr where there is none.
  [[nodiscard]] virtual void* allocate(int64_t bytes) noexcept = 0;
  virtual void free(void* slab, int64_t bytes) noexcept = 0;
  /// Hears how many of a slab's bytes are in use from now on; 0: it came back, and is kept or freed.
  virtual void on_use(void* /*slab*/, int64_t /*slab_bytes*/, int64_t /*used_bytes*/) noexcept {}
};

/// What a pool of pinned memory holds to.
struct PinnedBounds {
  int64_t smallest_bytes = 64 << 10;      ///< smaller requests get ordinary memory, which drivers copy aside at once
  int64_t most_bytes = int64_t{1} << 30;  ///< that are pinned at a time; nor are more than an eighth of the budget
};

/// Host memory that a device copies from and to at the full rate of its link, as it is locked in place. To lock it
/// takes milliseconds, so slabs that come back are kept for who asks next, in two sizes to a doubling. They are charged
/// to a budget but for what those who have them are charged. Owned by a shared_ptr, which its buffers share. Any
/// thread.
class PinnedMemory final : public memory::MemoryReclaimer, public std::enable_shared_from_this<PinnedMemory> {
 public:
  /// @param budget charged for what is kept, which is given back before it is exhausted
  static std::shared_ptr<PinnedMemory> create(std::unique_ptr<SlabSource> source, PinnedBounds bounds,
                                              const std::shared_ptr<memory::Budget>& budget);
  /// For `create`.
  PinnedMemory(std::unique_ptr<SlabSource> source, PinnedBounds bounds, std::shared_ptr<memory::Budget> budget);
  ~PinnedMemory() override;
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;

  /// Allocates as Buffer::allocate does, in pinned memory where there is some within the bounds. The buffer must live
  /// until streams that copy it are synchronised: its slab is handed out again.
  std::shared_ptr<memory::Buffer> allocate(int64_t bytes, const std::shared_ptr<memory::Budget>& budget);
  void reclaim() noexcept override { release_kept(0); }
  /// Gives kept slabs back, the longest kept first, until `bytes` are kept at most.
  void release_kept(int64_t bytes) noexcept;
  /// Pins and keeps nothing any more: ordinary memory serves from now on.
  void close() noexcept;

  /// Bytes of all slabs.
  int64_t pinned_bytes() const;
  /// Bytes of those that nobody has.
  int64_t kept_bytes() const;

 private:
  struct Slab {
    void* memory = nullptr;  ///< nullptr: there is none
    int64_t bytes = 0;
    memory::Reservation reservation;  ///< of the pool's budget
  };
  class Lease;

  Slab find(int64_t bytes);
  Slab take_kept(int64_t least_bytes, int64_t most_bytes);
  Slab pin(int64_t bytes);
  std::shared_ptr<memory::Buffer> lend(Slab slab, int64_t bytes, const std::shared_ptr<memory::Budget>& budget);
  void take_back(Slab slab) noexcept;
  bool keep(Slab& slab) noexcept;
  void unpin(const Slab& slab) noexcept;
  Slab take_oldest(int64_t kept_bytes);
  void make_room(int64_t bytes) noexcept;
  bool take_room(int64_t bytes);
  int64_t most_bytes() const;

  const std::unique_ptr<SlabSource> source_;
  const PinnedBounds bounds_;
  const std::shared_ptr<memory::Budget> budget_;
  mutable std::mutex mutex_;
  std::vector<Slab> kept_;  ///< the latest last
  int64_t kept_bytes_ = 0;
  int64_t pinned_bytes_ = 0;
  int64_t granted_bytes_ = INT64_MAX;  ///< when the source had no more; 0: it is closed
};

}  // namespace accelerant::device
