#include "memory/blocks.h"

#include "memory/buffer.h"
#include "memory/prepaid_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
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

std::shared_ptr<Budget> budget_of(int64_t bytes) { return std::make_shared<Budget>("test", bytes); }

TEST(Blocks, GiveABlockToTheNextOfItsSize) {
  Blocks blocks(kMiB, budget_of(64 * kMiB));
  const void* first = pass_through(blocks, 100 * kKiB);
  EXPECT_EQ(pass_through(blocks, 100 * kKiB - 5), first);
  void* larger = blocks.allocate(200 * kKiB);
  EXPECT_NE(larger, first);
  void* again = blocks.allocate(100 * kKiB);
  EXPECT_EQ(again, first);
  blocks.free(again, 100 * kKiB);
  blocks.free(larger, 200 * kKiB);
}

TEST(Blocks, StartAtAMultipleOf64) {
  Blocks blocks(kMiB, budget_of(64 * kMiB));
  for (int64_t bytes = 1; bytes < 12 * kMiB; bytes = bytes * 3 + 1) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(pass_through(blocks, bytes)) % 64, 0u) << bytes;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(pass_through(blocks, bytes)) % 64, 0u) << bytes;
  }
}

TEST(Blocks, MakeLargeOnesOfWhatTheShelvesHaveNoRoomFor) {
  Blocks blocks(kMiB, budget_of(64 * kMiB));
  std::vector<void*> held(512);
  for (void*& block : held) block = blocks.allocate(64 * kKiB);
  for (void* block : held) blocks.free(block, 64 * kKiB);
  const int64_t kept = blocks.kept_bytes();
  EXPECT_GE(kept, 32 * kMiB);
  void* large = blocks.allocate(24 * kMiB);
  EXPECT_LE(blocks.kept_bytes(), kept - 24 * kMiB);
  blocks.free(large, 24 * kMiB);
  EXPECT_EQ(blocks.kept_bytes(), kept);
}

TEST(Blocks, KeepNoMoreThanTheBudgetLeaves) {
  const auto budget = budget_of(64 * kMiB);
  Blocks blocks(kMiB, budget);
  pass_through(blocks, 32 * kMiB);
  EXPECT_GE(blocks.kept_bytes(), 32 * kMiB);
  const Reservation most(budget, 60 * kMiB);
  pass_through(blocks, 3 * kMiB);
  EXPECT_LE(blocks.kept_bytes(), 4 * kMiB + PageHeap::kFrameBytes);
  blocks.release_kept(0);
  EXPECT_EQ(blocks.kept_bytes(), 0);
}

TEST(Blocks, KeepNoMoreThanTheBudgetLeavesWhoeverElseTakesIt) {
  const auto budget = budget_of(64 * kMiB);
  Blocks blocks(kMiB, budget);
  pass_through(blocks, 32 * kMiB);
  pass_through(blocks, Blocks::kSmallestBytes);
  const Reservation most(budget, 60 * kMiB);
  pass_through(blocks, Blocks::kSmallestBytes);  // from its shelf
  EXPECT_LE(blocks.kept_bytes(), 4 * kMiB + PageHeap::kFrameBytes);
}

TEST(Blocks, KeepAsMuchAsIsPrepaidAndHoldsNothing) {
  const auto budget = budget_of(64 * kMiB);
  const auto query = std::make_shared<Budget>("query", 64 * kMiB, budget);
  Blocks blocks(kMiB, budget);
  const auto memory = PrepaidMemory::create(query);
  memory->grow(64 * kMiB);
  EXPECT_EQ(PrepaidMemory::idle_bytes_of_all(), 64 * kMiB);
  const void* first = pass_through(blocks, 24 * kMiB);
  EXPECT_GE(blocks.kept_bytes(), 24 * kMiB);
  EXPECT_EQ(pass_through(blocks, 24 * kMiB), first);
  {
    const Reservation drawn(memory->budget(), 60 * kMiB);
    EXPECT_EQ(PrepaidMemory::idle_bytes_of_all(), 4 * kMiB);
    void* block = blocks.allocate(2 * kMiB);
    EXPECT_LE(blocks.kept_bytes(), 4 * kMiB);
    blocks.free(block, 2 * kMiB);
  }
  memory->shrink();
  EXPECT_EQ(PrepaidMemory::idle_bytes_of_all(), 0);
  EXPECT_EQ(budget->used_bytes(), 0);
}

TEST(Blocks, PassEverythingOnWithoutShelves) {
  Blocks blocks(0, budget_of(64 * kMiB));
  for (const int64_t bytes : {int64_t{0}, int64_t{1}, 100 * kKiB, 10 * kMiB}) {
    if (bytes > 0) pass_through(blocks, bytes);
    EXPECT_EQ(blocks.kept_bytes(), 0) << bytes;
  }
}

TEST(Blocks, AreGivenBackBeforeTheSystemRefuses) {
  Blocks blocks(kMiB, budget_of(64 * kMiB));
  pass_through(blocks, 100 * kKiB);
  EXPECT_EQ(blocks.allocate(int64_t{1} << 60), nullptr);
  EXPECT_EQ(blocks.kept_bytes(), 0);
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
  }
  for (const Held& slot : held) {
    if (slot.bytes) blocks.free(slot.bytes, slot.size);
  }
  return intact;
}

TEST(Blocks, BelongToOneThreadAtATime) {
  Blocks blocks(kMiB, budget_of(64 * kMiB));
  std::vector<char> intact(4);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < intact.size(); ++i) {
    threads.emplace_back([&, i] { intact[i] = churn(blocks, static_cast<uint32_t>(i)); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::count(intact.begin(), intact.end(), 1), 4);
  blocks.release_kept(0);
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
  EXPECT_TRUE(buffer->data() == first || !process_blocks().keeps());
  EXPECT_EQ(std::count(buffer->data() + 99900, buffer->data() + 99900 + Buffer::kPaddingBytes, 0), 64);
  const auto zeroed = Buffer::allocate_zeroed(99900, budget);
  EXPECT_EQ(std::count(zeroed->data(), zeroed->data() + 99900, 0), 99900);
}

}  // namespace
}  // namespace accelerant::memory
