#include "memory/prepaid_memory.h"

#include "base/error.h"
#include "memory/buffer.h"
#include "memory/test_disk_memory.h"

#include <gtest/gtest.h>

namespace accelerant::memory {
namespace {

constexpr int64_t kKib = 1024;

TEST(PrepaidMemory, HasWhatItReservedWhoeverElseWantsIt) {
  const auto payer = std::make_shared<Budget>("payer", 100 * kKib);
  const auto memory = PrepaidMemory::create(payer);
  memory->grow(60 * kKib);
  EXPECT_EQ(payer->used_bytes(), 60 * kKib);
  EXPECT_FALSE(memory->try_grow(101 * kKib));
  EXPECT_THROW(memory->grow(101 * kKib), Error);
  EXPECT_EQ(memory->held_bytes(), 60 * kKib);
  payer->reserve(40 * kKib);
  auto buffer = Buffer::allocate(50 * kKib, memory->budget());
  EXPECT_EQ(payer->used_bytes(), 100 * kKib);
  EXPECT_THROW(Buffer::allocate(20 * kKib, memory->budget()), Error);
  buffer.reset();
  EXPECT_EQ(payer->used_bytes(), 100 * kKib);
  memory->shrink();
  EXPECT_EQ(payer->used_bytes(), 40 * kKib);
  payer->release(40 * kKib);
}

TEST(PrepaidMemory, GrowsAsLongAsItsPayerHasRoom) {
  const auto payer = std::make_shared<Budget>("payer", 100 * kKib);
  const auto memory = PrepaidMemory::create(payer);
  const Reservation first(memory->budget(), 50 * kKib);
  EXPECT_EQ(memory->held_bytes(), 50 * kKib);
  const Reservation second(memory->budget(), 1);
  // By a step, so that it does not grow for each.
  EXPECT_GT(memory->held_bytes(), 60 * kKib);
  EXPECT_EQ(payer->used_bytes(), memory->held_bytes());
  const Reservation third(memory->budget(), 50 * kKib - 1);
  EXPECT_EQ(memory->held_bytes(), 100 * kKib);
  EXPECT_THROW(Reservation(memory->budget(), 1), Error);
}

TEST(PrepaidMemory, IsHeldAsLongAsSomethingIsChargedForIt) {
  const auto payer = std::make_shared<Budget>("payer", 100 * kKib);
  auto memory = PrepaidMemory::create(payer);
  EXPECT_TRUE(memory->try_grow(60 * kKib));
  auto buffer = Buffer::allocate(10 * kKib, memory->budget());
  memory->shrink();
  EXPECT_EQ(payer->used_bytes(), Buffer::capacity_for(10 * kKib));
  memory.reset();
  EXPECT_EQ(payer->used_bytes(), Buffer::capacity_for(10 * kKib));
  buffer.reset();
  EXPECT_EQ(payer->used_bytes(), 0);
}

TEST(PrepaidMemory, LiesOnDiskWhereItsPayerHasNothing) {
  test::FakeDiskMemory disk;
  const auto payer = std::make_shared<Budget>("payer", 100 * kKib);
  payer->set_disk_memory(&disk);
  const auto memory = PrepaidMemory::create(payer);
  memory->grow(80 * kKib);
  auto first = Buffer::allocate(70 * kKib, memory->budget());
  // What it has not grown by lies nowhere.
  EXPECT_THROW(Buffer::allocate(50 * kKib, memory->budget()), Error);
  memory->grow(150 * kKib);
  EXPECT_EQ(payer->used_bytes(), 80 * kKib);
  auto second = Buffer::allocate(50 * kKib, memory->budget());
  EXPECT_EQ(disk.num_bytes(), Buffer::capacity_for(50 * kKib));
  memory->shrink();
  EXPECT_EQ(memory->held_bytes(), Buffer::capacity_for(70 * kKib) + Buffer::capacity_for(50 * kKib));
  EXPECT_EQ(payer->used_bytes(), 80 * kKib);
  // What is memory is used before the rest.
  first.reset();
  const auto third = Buffer::allocate(20 * kKib, memory->budget());
  EXPECT_EQ(disk.num_bytes(), Buffer::capacity_for(50 * kKib));
  second.reset();
  EXPECT_EQ(disk.num_bytes(), 0);
  memory->shrink();
  EXPECT_EQ(memory->held_bytes(), Buffer::capacity_for(20 * kKib));
  EXPECT_EQ(payer->used_bytes(), memory->held_bytes());
}

}  // namespace
}  // namespace accelerant::memory
