#include "operators/island_table.h"

#include "base/error.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

namespace accelerant::operators {

namespace {

using Room = IslandRows::Room;
using namespace std::chrono_literals;

IslandChunk chunk(int64_t num_rows) {
  return {memory::Buffer::allocate(8, std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited)), num_rows};
}

struct Fed {
  std::shared_ptr<IslandBell> bell = std::make_shared<IslandBell>();
  IslandTable table{5, 100, bell};
};

TEST(IslandTable, GivesOutTheLeastPartitionAskedForWithinARange) {
  Fed fed;
  EXPECT_EQ(fed.table.claim(0, 5), nullptr);
  const auto third = fed.table.open(3);
  const auto first = fed.table.open(1);
  EXPECT_EQ(fed.table.claim(2, 3), nullptr);
  EXPECT_EQ(fed.table.claim(0, 5), first);
  EXPECT_EQ(fed.table.claim(0, 3), nullptr);
  EXPECT_EQ(fed.table.claim(3, 4), third);
  EXPECT_EQ(fed.table.claim(0, 5), nullptr);
}

TEST(IslandTable, GivesOutAgainWhatComesBack) {
  Fed fed;
  const auto rows = fed.table.open(2);
  fed.table.give_back(fed.table.claim(0, 5));
  EXPECT_EQ(fed.table.claim(0, 5), rows);
}

TEST(IslandTable, ForgetsWhatNobodyReads) {
  Fed fed;
  fed.table.open(2)->leave();
  EXPECT_EQ(fed.table.claim(0, 5), nullptr);
}

TEST(IslandRows, PassOnInOrderUntilTheEnd) {
  Fed fed;
  const auto rows = fed.table.open(0);
  execution::EventPtr wait;
  EXPECT_FALSE(rows->take(wait));
  ASSERT_TRUE(wait);
  EXPECT_FALSE(rows->has_begun());
  rows->put(chunk(1));
  EXPECT_TRUE(wait->fired());
  EXPECT_TRUE(rows->has_begun());
  rows->put(chunk(2));
  EXPECT_EQ(rows->room(), Room::Full);
  execution::EventPtr none;
  EXPECT_EQ(rows->take(none)->num_rows, 1);
  EXPECT_EQ(rows->room(), Room::Free);
  rows->finish();
  EXPECT_EQ(rows->take(none)->num_rows, 2);
  EXPECT_FALSE(rows->take(none));
  EXPECT_FALSE(none);
}

TEST(IslandRows, OnDemandAreWantedWhenTheReaderWaits) {
  Fed fed;
  fed.table.set_on_demand();
  const auto rows = fed.table.open(0);
  EXPECT_EQ(rows->room(), Room::Full);
  execution::EventPtr wait;
  rows->take(wait);
  EXPECT_EQ(rows->room(), Room::Free);
  rows->put(chunk(1));
  EXPECT_EQ(rows->room(), Room::Full);
  rows->take(wait);
  EXPECT_EQ(rows->room(), Room::Full);
}

TEST(IslandRows, FailForTheReaderAfterWhatCameBefore) {
  Fed fed;
  const auto rows = fed.table.open(0);
  rows->put(chunk(1));
  rows->fail(std::make_exception_ptr(Error(ErrorKind::Cancelled, "the task has ended")));
  EXPECT_EQ(rows->room(), Room::Unwanted);
  rows->put(chunk(2));
  execution::EventPtr wait;
  EXPECT_TRUE(rows->take(wait));
  EXPECT_THROW(rows->take(wait), Error);
}

TEST(IslandRows, AreUnwantedOnceTheReaderLeft) {
  Fed fed;
  const auto rows = fed.table.open(0);
  rows->leave();
  rows->put(chunk(1));
  EXPECT_EQ(rows->room(), Room::Unwanted);
}

TEST(IslandBell, WakesWhoWaitsForWhatItHasNotHeard) {
  Fed fed;
  std::atomic<int> heard = 0;
  fed.bell->set_listener([&] { ++heard; });
  EXPECT_EQ(fed.bell->wait(0, 1ms), 0U);
  std::thread reader([&] { fed.table.open(0); });
  EXPECT_EQ(fed.bell->wait(0, 10s), 1U);
  reader.join();
  EXPECT_EQ(fed.bell->wait(0, 10s), 1U);
  EXPECT_EQ(heard, 1);
}

TEST(IslandRows, PassBetweenThreads) {
  constexpr int64_t kChunks = 2000;
  Fed fed;
  const auto rows = fed.table.open(0);
  std::thread feeder([&] {
    const auto claimed = fed.table.claim(0, 1);
    uint64_t rings = 0;
    for (int64_t i = 0; i < kChunks;) {
      if (claimed->room() == Room::Free) {
        claimed->put(chunk(++i));
      } else {
        rings = fed.bell->wait(rings, 10s);
      }
    }
    claimed->finish();
  });
  int64_t expected = 0;
  while (true) {
    execution::EventPtr wait;
    const auto taken = rows->take(wait);
    if (taken) {
      EXPECT_EQ(taken->num_rows, ++expected);
    } else if (!wait) {
      break;
    } else {
      while (!wait->fired()) std::this_thread::yield();
    }
  }
  feeder.join();
  EXPECT_EQ(expected, kChunks);
}

}  // namespace

}  // namespace accelerant::operators
