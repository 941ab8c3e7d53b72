#include "device/pinned_memory.h"

#include "base/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace accelerant::device {
namespace {

using memory::Buffer;
using BufferPtr = std::shared_ptr<Buffer>;

constexpr int64_t kKib = 1024;
constexpr int64_t kPadding = Buffer::kPaddingBytes;

/// What a source was asked for, which outlives it.
struct Asked {
  std::vector<int64_t> allocated;
  std::vector<int64_t> freed;
  int64_t largest_bytes = INT64_MAX;  ///< of slabs that there are
};

class TestSlabs final : public SlabSource {
 public:
  explicit TestSlabs(Asked& asked) : asked_(asked) {}

  [[nodiscard]] void* allocate(int64_t bytes) noexcept override {
    const std::lock_guard lock(mutex_);
    asked_.allocated.push_back(bytes);
    return bytes <= asked_.largest_bytes ? std::aligned_alloc(64, static_cast<size_t>(bytes)) : nullptr;
  }
  void free(void* slab, int64_t bytes) noexcept override {
    const std::lock_guard lock(mutex_);
    asked_.freed.push_back(bytes);
    std::free(slab);
  }

 private:
  std::mutex mutex_;
  Asked& asked_;
};

class PinnedMemoryTest : public testing::Test {
 protected:
  BufferPtr allocate(int64_t bytes) { return pool_->allocate(bytes, query_); }

  using Bytes = std::vector<int64_t>;
  Asked asked_;
  const std::shared_ptr<memory::Budget> process_ = std::make_shared<memory::Budget>("process", int64_t{1} << 20);
  const std::shared_ptr<memory::Budget> query_ = std::make_shared<memory::Budget>("query", 200 * kKib, process_);
  /// No part of the process's.
  const std::shared_ptr<memory::Budget> other_ = std::make_shared<memory::Budget>("other", 200 * kKib);
  /// Requests of less than 1 KiB get ordinary memory; 64 KiB are pinned at most.
  std::shared_ptr<PinnedMemory> pool_ =
      PinnedMemory::create(std::make_unique<TestSlabs>(asked_), PinnedBounds{kKib, 64 * kKib}, process_);
};

TEST_F(PinnedMemoryTest, GivesSlabsOutAgain) {
  BufferPtr first = allocate(4 * kKib);
  const uint8_t* const data = first->data();
  const BufferPtr second = allocate(4 * kKib);
  EXPECT_NE(second->data(), data);
  first.reset();
  first = allocate(3 * kKib + 1);
  EXPECT_EQ(first->data(), data);
  EXPECT_EQ(asked_.allocated, (Bytes{4 * kKib + kPadding, 4 * kKib + kPadding}));
  EXPECT_EQ(asked_.freed, Bytes{});
}

TEST_F(PinnedMemoryTest, GivesOutBuffersLikeOurs) {
  std::memset(allocate(4000)->mutable_data(), 0xff, 4000 + kPadding);
  const BufferPtr buffer = allocate(3500);
  EXPECT_EQ(asked_.allocated.size(), 1U);
  EXPECT_EQ(buffer->size_bytes(), 3500);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % Buffer::kAlignmentBytes, 0U);
  const uint8_t* const end = buffer->data() + 3500;
  EXPECT_TRUE(std::all_of(end, end + kPadding, [](uint8_t byte) { return byte == 0; }));
}

TEST_F(PinnedMemoryTest, HasTwoSizesToADoubling) {
  for (const int64_t bytes : {2048, 2049, 3072, 3073, 4096, 4097}) static_cast<void>(allocate(bytes));
  EXPECT_EQ(asked_.allocated, (Bytes{2048 + kPadding, 3072 + kPadding, 4096 + kPadding, 6144 + kPadding}));
}

TEST_F(PinnedMemoryTest, ChargesWhoHasASlabAndKeepsTheRest) {
  const int64_t capacity = Buffer::capacity_for(33 * kKib);
  BufferPtr buffer = allocate(33 * kKib);
  EXPECT_EQ(query_->used_bytes(), capacity);
  EXPECT_EQ(process_->used_bytes(), 48 * kKib + kPadding);
  EXPECT_EQ(pool_->kept_bytes(), 0);
  buffer.reset();
  EXPECT_EQ(query_->used_bytes(), 0);
  EXPECT_EQ(process_->used_bytes(), 48 * kKib + kPadding);
  EXPECT_EQ(pool_->kept_bytes(), 48 * kKib + kPadding);
  pool_->release_kept(0);
  EXPECT_EQ(process_->used_bytes(), 0);
  EXPECT_EQ(pool_->pinned_bytes(), 0);
  EXPECT_EQ(asked_.freed, Bytes{48 * kKib + kPadding});
}

TEST_F(PinnedMemoryTest, LeavesSmallAndTooLargeRequestsToOrdinaryMemory) {
  const BufferPtr small = allocate(kKib - 1);
  const BufferPtr large = allocate(64 * kKib);
  std::memset(large->mutable_data(), 1, static_cast<size_t>(large->size_bytes()));
  EXPECT_EQ(asked_.allocated, Bytes{});
  EXPECT_EQ(process_->used_bytes(), query_->used_bytes());
}

TEST_F(PinnedMemoryTest, PinsNoMoreThanItMay) {
  const BufferPtr first = allocate(32 * kKib);
  BufferPtr second = allocate(16 * kKib);
  const BufferPtr third = allocate(32 * kKib);
  EXPECT_EQ(asked_.allocated.size(), 2U);
  EXPECT_EQ(query_->used_bytes(), 80 * kKib + 3 * kPadding);
  second.reset();
  EXPECT_EQ(allocate(12 * kKib)->size_bytes(), 12 * kKib);
  EXPECT_EQ(asked_.freed, Bytes{});
}

TEST_F(PinnedMemoryTest, ServesSmallRequestsWithLargerSlabsBeforeItFreesSome) {
  static_cast<void>(allocate(48 * kKib));
  BufferPtr buffer = allocate(16 * kKib);
  EXPECT_EQ(asked_.allocated, (Bytes{48 * kKib + kPadding}));
  buffer.reset();
  EXPECT_EQ(process_->used_bytes(), 48 * kKib + kPadding);
}

TEST_F(PinnedMemoryTest, FreesSmallSlabsForALargerOne) {
  std::vector<BufferPtr> small;
  for (int i = 0; i < 4; ++i) small.push_back(allocate(12 * kKib));
  small.clear();
  static_cast<void>(allocate(32 * kKib));
  EXPECT_EQ(asked_.freed, (Bytes{12 * kKib + kPadding, 12 * kKib + kPadding}));
  EXPECT_EQ(pool_->pinned_bytes(), 56 * kKib + 3 * kPadding);
}

TEST_F(PinnedMemoryTest, PinsNoMoreThanAShareOfTheBudget) {
  process_->set_limit_bytes(128 * kKib);
  const BufferPtr first = allocate(12 * kKib);
  const BufferPtr second = allocate(12 * kKib);
  EXPECT_EQ(asked_.allocated, Bytes{12 * kKib + kPadding});
}

TEST_F(PinnedMemoryTest, AsksForNoMoreThanThereWas) {
  asked_.largest_bytes = 8 * kKib;
  const BufferPtr small = allocate(4 * kKib);
  for (int i = 0; i < 3; ++i) std::memset(allocate(16 * kKib)->mutable_data(), 1, 16 * kKib);
  EXPECT_EQ(asked_.allocated, (Bytes{4 * kKib + kPadding, 16 * kKib + kPadding}));
  EXPECT_EQ(pool_->pinned_bytes(), 4 * kKib + kPadding);
  EXPECT_EQ(process_->used_bytes(), 4 * kKib + kPadding);
}

TEST_F(PinnedMemoryTest, KeepsOnlyWhatTheBudgetHasRoomFor) {
  BufferPtr buffer = pool_->allocate(33 * kKib, other_);
  process_->set_limit_bytes(process_->used_bytes());
  buffer.reset();
  EXPECT_EQ(pool_->pinned_bytes(), 0);
  EXPECT_EQ(process_->used_bytes(), 0);
  EXPECT_EQ(asked_.freed, Bytes{48 * kKib + kPadding});
}

TEST_F(PinnedMemoryTest, GivesBackWhatItKeepsBeforeOthersFail) {
  static_cast<void>(allocate(4 * kKib));
  const int64_t kept = pool_->kept_bytes();
  EXPECT_GT(kept, 4 * kKib);
  EXPECT_EQ(process_->used_bytes(), kept);
  const memory::Reservation all(process_, process_->limit_bytes());
  EXPECT_EQ(pool_->kept_bytes(), 0);
  EXPECT_EQ(pool_->pinned_bytes(), 0);
}

TEST_F(PinnedMemoryTest, FailsAsOrdinaryMemoryDoes) {
  const BufferPtr rest = Buffer::allocate(190 * kKib, query_);
  static_cast<void>(pool_->allocate(16 * kKib, process_));
  EXPECT_THROW(static_cast<void>(allocate(16 * kKib)), Error);
  EXPECT_EQ(pool_->kept_bytes(), 16 * kKib + kPadding);
  EXPECT_EQ(pool_->pinned_bytes(), 16 * kKib + kPadding);
}

TEST_F(PinnedMemoryTest, KeepsNothingWhenItIsClosed) {
  BufferPtr buffer = allocate(4 * kKib);
  static_cast<void>(allocate(8 * kKib));
  pool_->close();
  EXPECT_EQ(asked_.freed, Bytes{8 * kKib + kPadding});
  buffer.reset();
  EXPECT_EQ(pool_->pinned_bytes(), 0);
  static_cast<void>(allocate(4 * kKib));
  EXPECT_EQ(asked_.allocated.size(), 2U);
}

TEST_F(PinnedMemoryTest, LivesAsLongAsItsBuffers) {
  BufferPtr buffer = allocate(4 * kKib);
  pool_.reset();
  buffer->mutable_data()[4 * kKib - 1] = 1;
  EXPECT_EQ(asked_.freed, Bytes{});
  buffer.reset();
  EXPECT_EQ(asked_.freed, Bytes{4 * kKib + kPadding});
  EXPECT_EQ(process_->used_bytes(), 0);
}

TEST_F(PinnedMemoryTest, ServesThreads) {
  const auto work = [this](int64_t seed) {
    for (int64_t i = 0; i < 200; ++i) {
      const int64_t bytes = kKib + (seed * 7919 + i * 104'729) % (20 * kKib);
      const BufferPtr buffer = allocate(bytes);
      std::memset(buffer->mutable_data(), static_cast<int>(seed), static_cast<size_t>(bytes));
      if (i % 50 == 0) pool_->release_kept(8 * kKib);
      ASSERT_EQ(buffer->data()[bytes - 1], seed);
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int64_t seed = 1; seed <= 4; ++seed) threads.emplace_back(work, seed);
  }
  EXPECT_EQ(pool_->kept_bytes(), pool_->pinned_bytes());
  EXPECT_LE(pool_->pinned_bytes(), 64 * kKib);
  EXPECT_EQ(process_->used_bytes(), pool_->kept_bytes());
}

}  // namespace
}  // namespace accelerant::device
