#include "memory/buffer.h"

#include "base/error.h"
#include "memory/array.h"
#include "memory/memory_wait.h"
#include "memory/test_disk_memory.h"

#include <gtest/gtest.h>

#include <cstring>

namespace accelerant::memory {
namespace {

class BufferOnDisk : public ::testing::Test {
 protected:
  BufferOnDisk() { process_->set_disk_memory(&disk_); }

  test::FakeDiskMemory disk_;
  const std::shared_ptr<Budget> process_ = std::make_shared<Budget>("process", 4096);
  const std::shared_ptr<Budget> query_ = std::make_shared<Budget>("query", 2048, process_);
};

TEST_F(BufferOnDisk, LiesThereWhereABudgetIsExhausted) {
  const auto in_memory = Buffer::allocate(1500, query_);
  EXPECT_EQ(disk_.num_bytes(), 0);
  auto on_disk = Buffer::allocate_zeroed(1000, query_);
  EXPECT_EQ(disk_.num_bytes(), Buffer::capacity_for(1000));
  EXPECT_EQ(query_->used_bytes(), Buffer::capacity_for(1500));
  EXPECT_EQ(on_disk->data()[999], 0);
  std::memset(on_disk->mutable_data(), 7, 1000);
  EXPECT_EQ(on_disk->data()[1000], 0);
  EXPECT_EQ(query_->on_disk_bytes(), Buffer::capacity_for(1000));
  EXPECT_EQ(process_->on_disk_bytes(), Buffer::capacity_for(1000));
  on_disk.reset();
  EXPECT_EQ(disk_.num_bytes(), 0);
  EXPECT_EQ(disk_.last_asker(), "query");
}

TEST_F(BufferOnDisk, ComesBackToMemoryThatThereIs) {
  auto most = Buffer::allocate(1900, query_);
  Array<int64_t> numbers(query_);
  for (int64_t i = 0; i < 100; ++i) numbers.push_back(i);
  EXPECT_GT(disk_.num_bytes(), 0);
  most.reset();
  numbers.reserve(150);
  EXPECT_EQ(disk_.num_bytes(), 0);
  for (int64_t i = 0; i < 100; ++i) EXPECT_EQ(numbers[i], i);
}

TEST_F(BufferOnDisk, IsNothingForWhoCanDoWithLess) {
  const WithoutWaiting at_once;
  EXPECT_THROW(Buffer::allocate(3000, query_), Error);
  EXPECT_EQ(disk_.num_bytes(), 0);
}

TEST_F(BufferOnDisk, FailsAsTheDiskDoes) {
  disk_.fail();
  EXPECT_THROW(Buffer::allocate(3000, query_), Error);
  EXPECT_EQ(query_->used_bytes(), 0);
}

TEST_F(BufferOnDisk, AsksReclaimersFirst) {
  struct Cache final : MemoryReclaimer {
    void reclaim() noexcept override { kept.reset(); }
    std::shared_ptr<Buffer> kept;
  };
  const auto cache = std::make_shared<Cache>();
  cache->kept = Buffer::allocate(1500, query_);
  query_->add_reclaimer(cache);
  const auto buffer = Buffer::allocate(1500, query_);
  EXPECT_EQ(disk_.num_bytes(), 0);
}

}  // namespace
}  // namespace accelerant::memory
