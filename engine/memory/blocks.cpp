#include "memory/blocks.h"

#include <bit>
#include <cstdlib>
#include <new>

namespace accelerant::memory {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// A block that is given out again hides from a sanitizer who still uses it, and its slack who writes past its end.
constexpr int64_t kMaxKeptBytes = 0;
#else
constexpr int64_t kMaxKeptBytes = 64 << 20;
#endif

/// Most requests are for a power of two and a buffer's padding: each class has room for that too.
constexpr int64_t kPaddingBytes = Blocks::kAlignmentBytes;

/// A class's number is 4 * exponent + quarter of the last byte it has room for, counted from that of the smallest
/// block.
constexpr size_t number_of(int64_t bytes) {
  const auto last = static_cast<uint64_t>(bytes - kPaddingBytes - 1);
  const int exponent = std::bit_width(last) - 1;
  return static_cast<size_t>(4 * exponent) + ((last >> (exponent - 2)) & 3);
}

constexpr size_t kFirstNumber = number_of(Blocks::kSmallestBytes);

constexpr size_t shelf_of(int64_t bytes) { return number_of(bytes) - kFirstNumber; }

constexpr int64_t block_bytes(size_t shelf) {
  const size_t number = shelf + kFirstNumber;
  return (static_cast<int64_t>(number % 4 + 5) << (number / 4 - 2)) + kPaddingBytes;
}

void* allocate_from_system(int64_t bytes) {
  constexpr auto kAlignment = static_cast<size_t>(Blocks::kAlignmentBytes);
  return std::aligned_alloc(kAlignment, (static_cast<size_t>(bytes) + kAlignment - 1) / kAlignment * kAlignment);
}

}  // namespace

bool Blocks::keeps(int64_t bytes) const {
  static_assert(shelf_of(kSmallestBytes) == 0 && shelf_of(kLargestBytes) == kNumShelves - 1);
  static_assert(block_bytes(shelf_of(kLargestBytes)) == kLargestBytes);
  return bytes >= kSmallestBytes && bytes <= kLargestBytes && max_kept_bytes() > 0;
}

void* Blocks::allocate(int64_t bytes) {
  if (keeps(bytes)) {
    const size_t shelf = shelf_of(bytes);
    if (void* block = take(shelf)) return block;
    bytes = block_bytes(shelf);
  }
  if (void* block = allocate_from_system(bytes)) return block;
  release_kept();
  return allocate_from_system(bytes);
}

void Blocks::free(void* block, int64_t bytes) noexcept {
  if (!keeps(bytes) || !make_room(block_bytes(shelf_of(bytes)))) return std::free(block);
  Shelf& shelf = shelves_[shelf_of(bytes)];
  const std::lock_guard lock(shelf.mutex);
  shelf.first = ::new (block) Kept{shelf.first};
}

void Blocks::release_kept() noexcept {
  for (size_t shelf = 0; shelf < kNumShelves; ++shelf) {
    while (void* block = take(shelf)) std::free(block);
  }
}

void* Blocks::take(size_t shelf) noexcept {
  Kept* block;
  {
    const std::lock_guard lock(shelves_[shelf].mutex);
    block = shelves_[shelf].first;
    if (!block) return nullptr;
    shelves_[shelf].first = block->next;
  }
  kept_.release(block_bytes(shelf));
  return block;
}

bool Blocks::make_room(int64_t bytes) noexcept {
  if (bytes > max_kept_bytes()) return false;
  while (!kept_.try_reserve(bytes)) {
    if (!give_one_back()) return false;
  }
  return true;
}

/// Goes around the shelves, so that sizes nobody asks for any more make room for those in use.
bool Blocks::give_one_back() noexcept {
  const size_t first = next_shelf_.load(std::memory_order_relaxed);
  for (size_t shelf = first; shelf < first + kNumShelves; ++shelf) {
    if (void* block = take(shelf % kNumShelves)) {
      next_shelf_.store((shelf + 1) % kNumShelves, std::memory_order_relaxed);
      std::free(block);
      return true;
    }
  }
  return false;
}

Blocks& process_blocks() {
  static auto* blocks = new Blocks(kMaxKeptBytes);
  return *blocks;
}

}  // namespace accelerant::memory
