#include "io/arrow_pool.h"

#include "memory/buffer.h"
#include "memory/test_disk_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace accelerant::io {
namespace {

constexpr int64_t kPadding = memory::Buffer::kPaddingBytes;

TEST(ArrowPool, MovesBytesBetweenBlocksAndZeroesWhatFollowsThem) {
  const auto budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  ArrowPool pool(budget);
  for (const int64_t alignment : {8, 64, 4096}) {
    uint8_t* bytes = nullptr;
    ASSERT_TRUE(pool.Allocate(40000, alignment, &bytes).ok());
    std::memset(bytes, 7, 40000);
    for (const int64_t size : {70000, 40001, 100, 39999}) {
      ASSERT_TRUE(pool.Reallocate(pool.bytes_allocated(), size, alignment, &bytes).ok());
      EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes) % static_cast<uintptr_t>(alignment), 0u);
      EXPECT_EQ(std::count(bytes, bytes + 100, 7), 100);
      EXPECT_EQ(std::count(bytes + size, bytes + size + kPadding, 0), kPadding);
      EXPECT_GE(budget->used_bytes(), size + kPadding);
      std::memset(bytes, 7, static_cast<size_t>(size));
    }
    pool.Free(bytes, 39999, alignment);
    EXPECT_EQ(budget->used_bytes(), 0);
  }
}

TEST(ArrowPool, KeepsItsBlockWhereTheBudgetRefusesALargerOne) {
  const auto budget = std::make_shared<memory::Budget>("test", 100000);
  ArrowPool pool(budget);
  uint8_t* bytes = nullptr;
  ASSERT_TRUE(pool.Allocate(40000, 64, &bytes).ok());
  bytes[39999] = 7;
  const int64_t used = budget->used_bytes();
  EXPECT_TRUE(pool.Reallocate(40000, 80000, 64, &bytes).IsOutOfMemory());
  try {
    pool.raise_out_of_memory();
  } catch (const Error& error) {
    EXPECT_EQ(error.error_class(), memory::kOutOfBudget);
  }
  EXPECT_EQ(bytes[39999], 7);
  EXPECT_EQ(budget->used_bytes(), used);
  pool.Free(bytes, 40000, 64);
  EXPECT_EQ(budget->used_bytes(), 0);
}

TEST(ArrowPool, HasWhatTheBudgetRefusesLieOnDisk) {
  memory::test::FakeDiskMemory disk;
  const auto budget = std::make_shared<memory::Budget>("test", 100000);
  budget->set_disk_memory(&disk);
  ArrowPool pool(budget);
  uint8_t* bytes = nullptr;
  ASSERT_TRUE(pool.Allocate(40000, 64, &bytes).ok());
  std::memset(bytes, 7, 40000);
  ASSERT_TRUE(pool.Reallocate(40000, 80000, 64, &bytes).ok());
  EXPECT_GE(disk.num_bytes(), 80000 + kPadding);
  EXPECT_EQ(budget->used_bytes(), 0);
  EXPECT_EQ(std::count(bytes, bytes + 40000, 7), 40000);
  EXPECT_EQ(std::count(bytes + 80000, bytes + 80000 + kPadding, 0), kPadding);
  ASSERT_TRUE(pool.Reallocate(80000, 1000, 64, &bytes).ok());
  EXPECT_EQ(disk.num_bytes(), 0);
  pool.Free(bytes, 1000, 64);
  EXPECT_EQ(budget->used_bytes(), 0);
  disk.fail();
  EXPECT_TRUE(pool.Allocate(200000, 64, &bytes).IsOutOfMemory());
  EXPECT_THROW(pool.raise_out_of_memory(), Error);
}

TEST(ArrowPool, LendsWhatTheBudgetRefuses) {
  const auto budget = std::make_shared<memory::Budget>("test", 100000);
  ArrowPool pool(budget, ArrowPool::Refused::IsLent);
  uint8_t* bytes = nullptr;
  uint8_t* others = nullptr;
  ASSERT_TRUE(pool.Allocate(40000, 64, &bytes).ok());
  EXPECT_FALSE(pool.has_lent());
  ASSERT_TRUE(pool.Allocate(90000, 64, &others).ok());
  EXPECT_TRUE(pool.has_lent());
  EXPECT_THROW(pool.charge_lent(), Error);
  ASSERT_TRUE(pool.Reallocate(40000, 5000, 64, &bytes).ok());
  EXPECT_NO_THROW(pool.charge_lent());
  EXPECT_FALSE(pool.has_lent());
  EXPECT_GE(budget->used_bytes(), 95000);
  EXPECT_LE(budget->used_bytes(), 100000);
  pool.Free(bytes, 5000, 64);
  pool.Free(others, 90000, 64);
  EXPECT_EQ(budget->used_bytes(), 0);
  EXPECT_EQ(pool.bytes_allocated(), 0);
}

}  // namespace
}  // namespace accelerant::io
