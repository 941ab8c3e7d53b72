#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

namespace accelerant::memory {

/// Emits runs of memory from address ranges that it reserves in large pieces, and keeps the memory of those that
/// come back: neighbours become one run, from which requests of any size are served. Pages fresh from the system cost
/// many times as much as pages that were touched before, above all on a virtual machine. Charges no budget.
/// Thread-safe.
class PageHeap {
 public:
  /// Runs start at multiples of this.
  static constexpr int64_t kAlignmentBytes = 64;
  /// What the system gives and takes: a huge page, where it has them.
  static constexpr int64_t kFrameBytes = 2 << 20;

  PageHeap() = default;
  /// Gives everything back, runs in use included.
  ~PageHeap();
  PageHeap(const PageHeap&) = delete;
  PageHeap& operator=(const PageHeap&) = delete;

  /// Returns a run of at least `bytes` unspecified bytes, or nullptr where the system has none.
  [[nodiscard]] void* allocate(int64_t bytes);
  /// Takes back what `allocate(bytes)` returned.
  void free(void* run, int64_t bytes) noexcept;
  /// Gives frames in which nothing lives back to the system until no more than `bytes` are kept, or none is left.
  void release_kept(int64_t bytes) noexcept;
  /// Returns the bytes that belong to this process and to no run in use. Frames count as a whole.
  int64_t kept_bytes() const { return kept_bytes_.load(std::memory_order_relaxed); }

 private:
  struct Run {
    uintptr_t begin;
    int64_t bytes;

    uintptr_t end() const { return begin + static_cast<uintptr_t>(bytes); }
  };

  /// Reserves a range that has room for `bytes`; returns whether the system had one.
  bool reserve_range(int64_t bytes);
  /// Returns the run that it makes with its neighbours.
  Run add_free(Run run);
  void remove_free(std::map<uintptr_t, int64_t>::iterator run);
  /// Notes that the frames of a run have memory from now on.
  void note_memory(Run run);
  /// Counts the frames with memory that a part of a run reaches into and that lie within the run.
  int64_t count_frames(Run part, Run whole) const;
  /// Gives back frames that lie within a free run, `num_frames` at most.
  void give_back(Run run, int64_t num_frames);
  void note_kept();

  std::mutex mutex_;
  std::vector<std::span<std::byte>> ranges_;
  std::map<uintptr_t, int64_t> free_;                     ///< bytes by address; no two runs touch
  std::set<std::pair<int64_t, uintptr_t>> free_by_size_;  ///< the same runs
  std::unordered_set<uintptr_t> frames_;                  ///< addresses of those that the system gave memory for
  int64_t free_frames_ = 0;                               ///< of those, how many lie within free runs
  int64_t used_bytes_ = 0;
  std::atomic<int64_t> kept_bytes_{0};
};

}  // namespace accelerant::memory
