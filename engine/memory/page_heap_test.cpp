#include "memory/page_heap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <vector>

namespace accelerant::memory {
namespace {

constexpr int64_t kFrame = PageHeap::kFrameBytes;

TEST(PageHeap, ServesLargeRunsFromSmallOnesThatCameBack) {
  PageHeap heap;
  std::vector<void*> small(64);
  for (void*& run : small) {
    run = heap.allocate(kFrame / 16);
    std::memset(run, 1, kFrame / 16);
  }
  EXPECT_EQ(heap.kept_bytes(), 0);
  for (void* run : small) heap.free(run, kFrame / 16);
  EXPECT_EQ(heap.kept_bytes(), 4 * kFrame);
  void* large = heap.allocate(4 * kFrame);
  EXPECT_EQ(large, *std::min_element(small.begin(), small.end()));
  EXPECT_EQ(heap.kept_bytes(), 0) << "no more memory was taken from the system";
  heap.free(large, 4 * kFrame);
}

TEST(PageHeap, GivesFramesBackToTheSystemButNotThoseInUse) {
  PageHeap heap;
  auto* first = static_cast<uint8_t*>(heap.allocate(3 * kFrame));
  auto* second = static_cast<uint8_t*>(heap.allocate(kFrame / 2));
  auto* third = static_cast<uint8_t*>(heap.allocate(5 * kFrame));
  std::memset(first, 1, 3 * kFrame);
  std::memset(second, 2, kFrame / 2);
  std::memset(third, 3, 5 * kFrame);
  heap.free(first, 3 * kFrame);
  heap.free(third, 5 * kFrame);
  const int64_t kept = heap.kept_bytes();
  EXPECT_GE(kept, 8 * kFrame);
  heap.release_kept(kept - 2 * kFrame);
  EXPECT_EQ(heap.kept_bytes(), kept - 2 * kFrame);
  heap.release_kept(0);
  EXPECT_LT(heap.kept_bytes(), 2 * kFrame) << "beside the run in use";
  EXPECT_EQ(std::count(second, second + kFrame / 2, 2), kFrame / 2);
  // What was given back is fresh when it is taken again.
  auto* again = static_cast<uint8_t*>(heap.allocate(5 * kFrame));
  EXPECT_EQ(again, third);
  EXPECT_EQ(std::count(again + kFrame, again + 4 * kFrame, 0), 3 * kFrame);
  heap.free(again, 5 * kFrame);
  heap.free(second, kFrame / 2);
  heap.release_kept(0);
  EXPECT_EQ(heap.kept_bytes(), 0);
}

TEST(PageHeap, StartsRunsAtAMultipleOf64AndServesMoreThanARange) {
  PageHeap heap;
  for (const int64_t bytes : {int64_t{0}, int64_t{1}, int64_t{65}, int64_t{5000}, int64_t{3} << 30}) {
    auto* run = static_cast<uint8_t*>(heap.allocate(bytes));
    ASSERT_NE(run, nullptr) << bytes;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(run) % 64, 0u) << bytes;
    if (bytes > 0) run[0] = run[bytes - 1] = 1;
    heap.free(run, bytes);
  }
}

TEST(PageHeap, HasNothingWhereTheSystemRefuses) {
  PageHeap heap;
  EXPECT_EQ(heap.allocate(int64_t{1} << 60), nullptr);
  EXPECT_EQ(heap.kept_bytes(), 0);
}

TEST(PageHeap, KeepsRunsApart) {
  PageHeap heap;
  std::mt19937 random(7);
  std::map<uint8_t*, std::pair<int64_t, uint8_t>> live;
  for (int i = 0; i < 3000; ++i) {
    if (live.size() < 20 || random() % 2 == 0) {
      const auto bytes = static_cast<int64_t>(1 + random() % (1 << (random() % 22)));
      auto* run = static_cast<uint8_t*>(heap.allocate(bytes));
      const auto mark = static_cast<uint8_t>(random());
      std::memset(run, mark, static_cast<size_t>(bytes));
      ASSERT_TRUE(live.emplace(run, std::pair(bytes, mark)).second);
    } else {
      auto chosen = std::next(live.begin(), static_cast<std::ptrdiff_t>(random() % live.size()));
      const auto [bytes, mark] = chosen->second;
      ASSERT_EQ(std::count(chosen->first, chosen->first + bytes, mark), bytes);
      heap.free(chosen->first, bytes);
      live.erase(chosen);
    }
    if (i % 500 == 0) heap.release_kept(kFrame);
  }
  for (const auto& [run, held] : live) heap.free(run, held.first);
  heap.release_kept(0);
  EXPECT_EQ(heap.kept_bytes(), 0);
}

}  // namespace
}  // namespace accelerant::memory
