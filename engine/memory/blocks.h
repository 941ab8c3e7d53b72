#pragma once

#include "memory/budget.h"
#include "memory/page_heap.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

namespace accelerant::memory {

/// Emits blocks of memory, and keeps those that come back for who asks next: the system would take their pages
/// away, and give fresh ones at a high price. Charges no budget, but keeps no more than the budget beside it leaves, or
/// has prepaid for what nothing lies in yet. Thread-safe.
///
/// Blocks of middle size come back to a shelf, and serve requests of their size class first. There are four classes to
/// a doubling, so that a block is at most a quarter larger than what was asked for. Larger blocks, and what the shelves
/// have no room for, come back to a heap of pages, which serves any size.
class Blocks {
 public:
  /// Every block starts at a multiple of this.
  static constexpr int64_t kAlignmentBytes = 64;
  /// Smaller blocks are the C library's.
  static constexpr int64_t kSmallestBytes = 16 << 10;
  /// Larger blocks have no shelf.
  static constexpr int64_t kLargestShelfBytes = (1 << 20) + kAlignmentBytes;

  /// Keeps blocks of `max_shelf_bytes` in all on shelves at most; with 0, passes everything on to the system.
  /// @param budget what lies in memory of its parties and all that is kept here have room in together
  Blocks(int64_t max_shelf_bytes, std::shared_ptr<const Budget> budget)
      : on_shelves_("kept blocks", max_shelf_bytes), budget_(std::move(budget)) {}
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  /// Returns a block of at least `bytes` unspecified bytes, or nullptr where the system has none even after it got back
  /// what is kept. The caller gives it back by `free`.
  [[nodiscard]] void* allocate(int64_t bytes);
  /// Takes back what `allocate(bytes)` returned.
  void free(void* block, int64_t bytes) noexcept;
  /// Gives kept memory back to the system until `bytes` are kept at most. Memory beside blocks in use stays.
  void release_kept(int64_t bytes) noexcept;

  int64_t kept_bytes() const { return on_shelves_.used_bytes() + pages_.kept_bytes(); }
  bool keeps() const { return on_shelves_.limit_bytes() > 0; }

 private:
  /// What stands at the start of a kept block.
  struct Kept {
    Kept* next;
  };
  /// The kept blocks of one size, the warmest first.
  struct alignas(64) Shelf {
    std::mutex mutex;
    Kept* first = nullptr;
  };
  static constexpr size_t kNumShelves = 25;

  static bool has_shelf(int64_t bytes) { return bytes <= kLargestShelfBytes; }
  static bool is_small(int64_t bytes) { return bytes < kSmallestBytes; }
  /// Takes a run of pages; nullptr if the system has none.
  void* allocate_pages(int64_t bytes);
  /// Takes a block from a shelf; nullptr if there is none.
  void* take(size_t shelf) noexcept;
  /// Makes room for `bytes` on the shelves at the expense of other blocks; returns whether that is possible.
  bool make_room(int64_t bytes) noexcept;
  bool clear_one() noexcept;

  Budget on_shelves_;
  const std::shared_ptr<const Budget> budget_;
  PageHeap pages_;
  std::array<Shelf, kNumShelves> shelves_;
  std::atomic<size_t> next_shelf_{0};  ///< to clear a block from
};

/// Returns the process's blocks, which keep memory as the process budget allows (none in sanitizer builds). Never
/// destroyed: at process exit other threads may still be inside the engine.
Blocks& process_blocks();

}  // namespace accelerant::memory
