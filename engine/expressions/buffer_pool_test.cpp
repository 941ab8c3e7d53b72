#include "expressions/buffer_pool.h"

#include "base/error.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace accelerant::expressions {
namespace {

std::shared_ptr<memory::Budget> budget_of(int64_t bytes) { return std::make_shared<memory::Budget>("test", bytes); }

TEST(BufferPool, GivesABufferOutAgain) {
  BufferPool pool(budget_of(1 << 20));
  const uint8_t* first = pool.allocate(5000)->data();
  EXPECT_EQ(pool.allocate(8000)->data(), first);
  const auto held = pool.allocate(5000);
  EXPECT_NE(pool.allocate(5000)->data(), held->data());
}

TEST(BufferPool, ChargesItsBudget) {
  const auto budget = budget_of(100'000);
  BufferPool pool(budget);
  const auto buffer = pool.allocate(60'000);
  EXPECT_GE(budget->used_bytes(), 60'000);
  EXPECT_THROW(pool.allocate(60'000), Error);
}

TEST(BufferPool, BuffersOutliveIt) {
  const auto budget = budget_of(1 << 20);
  std::shared_ptr<memory::Buffer> buffer;
  {
    BufferPool pool(budget);
    buffer = pool.allocate(5000);
    pool.allocate(100'000);
  }
  buffer->mutable_data()[4999] = 1;
  EXPECT_LT(budget->used_bytes(), 10'000);
  buffer.reset();
  EXPECT_EQ(budget->used_bytes(), 0);
}

TEST(BufferPool, TakesBuffersBackFromOtherThreads) {
  BufferPool pool(budget_of(1 << 24));
  for (int round = 0; round < 100; ++round) {
    std::vector<std::shared_ptr<memory::Buffer>> buffers;
    for (int i = 0; i < 8; ++i) buffers.push_back(pool.allocate(5000));
    std::thread other([taken = std::move(buffers)]() mutable { taken.clear(); });
    pool.allocate(5000)->mutable_data()[0] = 1;
    other.join();
  }
}

}  // namespace
}  // namespace accelerant::expressions
