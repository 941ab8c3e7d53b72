#pragma once

#include "memory/budget.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace accelerant::memory {

/// Gives out blocks of memory, and keeps some of those that come back for who asks for their size next: the system
/// would take their pages away, and each would be a page fault when it is touched again. Charges no budget.
/// Thread-safe.
///
/// A kept block serves requests of its size class only. There are four classes to a doubling, so that a block is at
/// most a quarter larger than what was asked for.
class Blocks {
 public:
  /// Every block starts at a multiple of this.
  static constexpr int64_t kAlignmentBytes = 64;
  /// Blocks of fewer or more bytes are never kept.
  static constexpr int64_t kSmallestBytes = 16 << 10;
  static constexpr int64_t kLargestBytes = (8 << 20) + kAlignmentBytes;

  /// Keeps blocks of `max_kept_bytes` in all at most; with 0, passes everything on to the system.
  explicit Blocks(int64_t max_kept_bytes) : kept_("kept blocks", max_kept_bytes) {}
  ~Blocks() { release_kept(); }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  /// Returns a block of at least `bytes` unspecified bytes, or nullptr where the system has none even after it got back
  /// what is kept. The caller gives it back by `free`.
  [[nodiscard]] void* allocate(int64_t bytes);
  /// Takes back what `allocate(bytes)` returned.
  void free(void* block, int64_t bytes) noexcept;
  /// Gives all kept blocks back to the system.
  void release_kept() noexcept;

  int64_t kept_bytes() const { return kept_.used_bytes(); }
  int64_t max_kept_bytes() const { return kept_.limit_bytes(); }

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
  static constexpr size_t kNumShelves = 37;

  bool keeps(int64_t bytes) const;
  /// Takes a block from a shelf; nullptr if there is none.
  void* take(size_t shelf) noexcept;
  /// Charges `bytes` to what may be kept, at the expense of other blocks; returns whether that is possible.
  bool make_room(int64_t bytes) noexcept;
  bool give_one_back() noexcept;

  Budget kept_;
  std::array<Shelf, kNumShelves> shelves_;
  std::atomic<size_t> next_shelf_{0};  ///< to give blocks back from
};

/// Returns the process's blocks, which keep up to 64 MiB (none in sanitizer builds). Never destroyed: at process exit
/// other threads may still be inside the engine.
Blocks& process_blocks();

}  // namespace accelerant::memory
