#include "memory/blocks.h"

#include "memory/buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

namespace accelerant::memory {
namespace {

constexpr int64_t kKiB = 1 << 10;
constexpr int64_t kMiB = 1 << 20;

/// Allocates a block and gives it back; returns where it was.
const void* pass_through(Blocks& blocks, int64_t bytes) {
  auto* block = static_cast<char*>(blocks.allocate(bytes));
  block[0] = block[bytes - 1] = 'x';
  blocks.free(block, bytes);
  return block;
}

TEST(Blocks, GivesABlockToTheNextOfItsSize) {
  Blocks blocks(kMiB);
  const void* first = pass_through(blocks, 100 * kKiB);
  EXPECT_GE(blocks.kept_bytes(), 100 * kKiB);
  EXPECT_LE(blocks.kept_bytes(), 125 * kKiB + 64);
  EXPECT_EQ(pass_through(blocks, 100 * kKiB - 5), first);
  void* larger = blocks.allocate(200 * kKiB);
  EXPECT_NE(larger, first);
  EXPECT_GT(blocks.kept_bytes(), 0);
  void* again = blocks.allocate(100 * kKiB);
  EXPECT_EQ(again, first);
  EXPECT_EQ(blocks.kept_bytes(), 0);
  blocks.free(again, 100 * kKiB);
  blocks.free(larger, 200 * kKiB);
}

TEST(Blocks, WasteAQuarterAtMost) {
  Blocks blocks(64 * kMiB);
  int64_t last = 0;
  for (int64_t bytes = Blocks::kSmallestBytes; bytes <= Blocks::kLargestBytes; bytes += bytes / 40) {
    pass_through(blocks, bytes);
    EXPECT_GE(blocks.kept_bytes(), std::max(bytes, last));
    EXPECT_LE(blocks.kept_bytes(), bytes + bytes / 4 + 64);
    last = blocks.kept_bytes();
    blocks.release_kept();
    EXPECT_EQ(blocks.kept_bytes(), 0);
  }
  pass_through(blocks, kMiB + Buffer::kPaddingBytes);
  EXPECT_EQ(blocks.kept_bytes(), kMiB + Buffer::kPaddingBytes) << "a power of two and its padding fit exactly";
}

TEST(Blocks, KeepNeitherSmallNorLargeOnes) {
  Blocks blocks(64 * kMiB);
  for (const int64_t bytes : {int64_t{1}, Blocks::kSmallestBytes - 1, Blocks::kLargestBytes + 1}) {
    pass_through(blocks, bytes);
    EXPECT_EQ(blocks.kept_bytes(), 0) << bytes;
  }
  blocks.free(blocks.allocate(0), 0);
}

TEST(Blocks, StartAtAMultipleOf64) {
  Blocks blocks(kMiB);
  for (int64_t bytes = 1; bytes < 12 * kMiB; bytes = bytes * 3 + 1) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(pass_through(blocks, bytes)) % 64, 0u) << bytes;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(pass_through(blocks, bytes)) % 64, 0u) << bytes;
  }
}

TEST(Blocks, MakeRoomForTheSizesInUse) {
  Blocks blocks(kMiB);
  const auto fill = [&](int64_t bytes) {
    std::vector<void*> held(100);
    for (void*& block : held) block = blocks.allocate(bytes);
    for (void* block : held) {
      blocks.free(block, bytes);
      EXPECT_LE(blocks.kept_bytes(), kMiB);
    }
    EXPECT_GT(blocks.kept_bytes(), kMiB - bytes - 64);
  };
  fill(64 * kKiB);
  fill(16 * kKiB);
  const void* large = pass_through(blocks, 512 * kKiB);
  EXPECT_EQ(pass_through(blocks, 512 * kKiB), large);
  pass_through(blocks, 2 * kMiB);
  EXPECT_GE(blocks.kept_bytes(), 512 * kKiB) << "what can't be kept pushes nothing out";
}

TEST(Blocks, AreGivenBackBeforeTheSystemRefuses) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer ends the process";
#else
  Blocks blocks(kMiB);
  pass_through(blocks, 100 * kKiB);
  EXPECT_EQ(blocks.allocate(int64_t{1} << 60), nullptr);
  EXPECT_EQ(blocks.kept_bytes(), 0);
#endif
}

/// Holds a few blocks at a time, each marked as its own; returns whether the marks stayed as they were.
bool churn(Blocks& blocks, uint32_t seed) {
  std::mt19937 random(seed);
  struct Held {
    uint8_t* bytes = nullptr;
    int64_t size = 0;
    uint8_t mark = 0;
  };
  std::vector<Held> held(8);
  bool intact = true;
  for (int i = 0; i < 1000; ++i) {
    Held& slot = held[random() % held.size()];
    intact &= slot.size == 0 || (slot.bytes[0] == slot.mark && slot.bytes[slot.size / 2] == slot.mark &&
                                 slot.bytes[slot.size - 1] == slot.mark);
    if (slot.bytes) blocks.free(slot.bytes, slot.size);
    slot.size = static_cast<int64_t>(kKiB << random() % 8) + static_cast<int64_t>(random() % 1000);
    slot.bytes = static_cast<uint8_t*>(blocks.allocate(slot.size));
    slot.mark = static_cast<uint8_t>(random());
    slot.bytes[0] = slot.bytes[slot.size / 2] = slot.bytes[slot.size - 1] = slot.mark;
    intact &= blocks.kept_bytes() <= kMiB;
  }
  for (const Held& slot : held) {
    if (slot.bytes) blocks.free(slot.bytes, slot.size);
  }
  return intact;
}

TEST(Blocks, BelongToOneThreadAtATime) {
  Blocks blocks(kMiB);
  std::vector<char> intact(4);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < intact.size(); ++i) {
    threads.emplace_back([&, i] { intact[i] = churn(blocks, static_cast<uint32_t>(i)); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::count(intact.begin(), intact.end(), 1), 4);
  blocks.release_kept();
  EXPECT_EQ(blocks.kept_bytes(), 0);
}

TEST(Blocks, ComeBackFromBuffersWithPaddingZeroed) {
  const auto budget = std::make_shared<Budget>("test", Budget::kUnlimited);
  const uint8_t* first;
  {
    const auto buffer = Buffer::allocate(100000, budget);
    std::memset(buffer->mutable_data(), 0xff, 100000);
    first = buffer->data();
  }
  EXPECT_EQ(budget->used_bytes(), 0) << "kept blocks belong to nobody";
  const auto buffer = Buffer::allocate(99900, budget);
  EXPECT_TRUE(buffer->data() == first || process_blocks().max_kept_bytes() == 0);
  EXPECT_EQ(std::count(buffer->data() + 99900, buffer->data() + 99900 + Buffer::kPaddingBytes, 0), 64);
  const auto zeroed = Buffer::allocate_zeroed(99900, budget);
  EXPECT_EQ(std::count(zeroed->data(), zeroed->data() + 99900, 0), 99900);
}

}  // namespace
}  // namespace accelerant::memory
