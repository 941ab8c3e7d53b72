#include "memory/blocks.h"

#include "memory/prepaid_memory.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

namespace accelerant::memory {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// A block that is handed out again hides from a sanitizer who still uses it, and its slack who writes past its end.
constexpr int64_t kMaxShelfBytes = 0;
#else
constexpr int64_t kMaxShelfBytes = 64 << 20;
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

constexpr auto kAlignment = static_cast<size_t>(Blocks::kAlignmentBytes);

void* allocate_from_system(int64_t bytes) {
  return std::aligned_alloc(kAlignment, (static_cast<size_t>(bytes) + kAlignment - 1) / kAlignment * kAlignment);
}

/// The C library cuts an aligned block out of a larger one and takes the rest back, several times what `malloc` takes.
void* allocate_small(int64_t bytes) {
  auto* given = static_cast<std::byte*>(std::malloc(static_cast<size_t>(bytes) + kAlignment));
  if (!given) return nullptr;
  // It is aligned to 16 bytes: before the block there is room for a pointer.
  std::byte* block = given + kAlignment - reinterpret_cast<uintptr_t>(given) % kAlignment;
  std::memcpy(block - sizeof(given), &given, sizeof(given));
  return block;
}

void free_small(void* block) {
  void* given;
  std::memcpy(&given, static_cast<std::byte*>(block) - sizeof(given), sizeof(given));
  std::free(given);
}

}  // namespace

void* Blocks::allocate(int64_t bytes) {
  static_assert(shelf_of(kSmallestBytes) == 0 && shelf_of(kLargestShelfBytes) == kNumShelves - 1);
  static_assert(block_bytes(shelf_of(kLargestShelfBytes)) == kLargestShelfBytes);
  if (!keeps()) return allocate_from_system(bytes);
  if (is_small(bytes)) return allocate_small(bytes);
  void* block = has_shelf(bytes) ? take(shelf_of(bytes)) : nullptr;
  if (!block) block = allocate_pages(has_shelf(bytes) ? block_bytes(shelf_of(bytes)) : bytes);
  const int64_t left = budget_->limit_bytes() - budget_->used_bytes();
  if (kept_bytes() > left) release_kept(std::max<int64_t>(0, left + PrepaidMemory::idle_bytes_of_all()));
  return block;
}

void Blocks::free(void* block, int64_t bytes) noexcept {
  if (!keeps()) return std::free(block);
  if (is_small(bytes)) return free_small(block);
  if (!has_shelf(bytes)) return pages_.free(block, bytes);
  const size_t number = shelf_of(bytes);
  if (!make_room(block_bytes(number))) return pages_.free(block, block_bytes(number));
  Shelf& shelf = shelves_[number];
  const std::lock_guard lock(shelf.mutex);
  shelf.first = ::new (block) Kept{shelf.first};
}

void Blocks::release_kept(int64_t bytes) noexcept {
  while (on_shelves_.used_bytes() > bytes && clear_one()) continue;
  if (kept_bytes() > bytes) pages_.release_kept(std::max<int64_t>(0, bytes - on_shelves_.used_bytes()));
}

void* Blocks::allocate_pages(int64_t bytes) {
  if (void* block = pages_.allocate(bytes)) return block;
  release_kept(0);
  return pages_.allocate(bytes);
}

void* Blocks::take(size_t shelf) noexcept {
  Kept* block;
  {
    const std::lock_guard lock(shelves_[shelf].mutex);
    block = shelves_[shelf].first;
    if (!block) return nullptr;
    shelves_[shelf].first = block->next;
  }
  on_shelves_.release(block_bytes(shelf));
  return block;
}

bool Blocks::make_room(int64_t bytes) noexcept {
  if (bytes > on_shelves_.limit_bytes()) return false;
  while (!on_shelves_.try_reserve(bytes)) {
    if (!clear_one()) return false;
  }
  return true;
}

/// Goes around the shelves, so that sizes nobody asks for any more make room for those in use.
bool Blocks::clear_one() noexcept {
  const size_t first = next_shelf_.load(std::memory_order_relaxed);
  for (size_t i = first; i < first + kNumShelves; ++i) {
    const size_t shelf = i % kNumShelves;
    if (void* block = take(shelf)) {
      next_shelf_.store((shelf + 1) % kNumShelves, std::memory_order_relaxed);
      pages_.free(block, block_bytes(shelf));
      return true;
    }
  }
  return false;
}

Blocks& process_blocks() {
  static auto* blocks = new Blocks(kMaxShelfBytes, process_budget());
  return *blocks;
}

}  // namespace accelerant::memory
