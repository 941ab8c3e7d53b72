#include "runtime/stage_start.h"

#include "memory/memory_wait.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>

namespace accelerant::runtime {
namespace {

constexpr std::chrono::seconds kLong(60);

/// A start that has to wait until an event fires, and all that it needs.
class StageStartTest : public testing::Test {
 protected:
  std::shared_ptr<StageStart> made(uint64_t interruptions = 0) {
    return std::make_shared<StageStart>(scheduler_, nullptr, cancellation_, interruptions, [this] {
      ++num_begun_;
      if (!cancellation_.is_cancelled() && !memory_->fired()) throw memory::MemoryWait{memory_};
      has_started_.set_value();
    });
  }

  bool starts() { return has_started_.get_future().wait_for(kLong) == std::future_status::ready; }

  const execution::EventPtr memory_ = std::make_shared<execution::Event>();
  execution::Cancellation cancellation_;
  std::atomic<int> num_begun_{0};
  std::promise<void> has_started_;
  Scheduler scheduler_{1};
};

TEST_F(StageStartTest, BeginsWhereItIsCalled) {
  memory_->fire();
  EXPECT_FALSE(made()->run_slice());
  EXPECT_EQ(num_begun_, 1);
}

TEST_F(StageStartTest, BeginsAnewWhenThereIsMemory) {
  EXPECT_FALSE(made()->run_slice());
  EXPECT_EQ(num_begun_, 1);
  memory_->fire();
  EXPECT_TRUE(starts());
  EXPECT_EQ(num_begun_, 2);
}

TEST_F(StageStartTest, BeginsAnewWhereItIsCancelledWhileItWaits) {
  const auto start = made();
  start->run_slice();
  cancellation_.cancel();
  start->wake();
  EXPECT_TRUE(starts());
  EXPECT_EQ(num_begun_, 2);
}

TEST_F(StageStartTest, WaitsOnceMoreWhereItIsWokenInVain) {
  const auto start = made();
  start->run_slice();
  start->wake();
  memory_->fire();
  EXPECT_TRUE(starts());
  EXPECT_GE(num_begun_, 2);
}

TEST_F(StageStartTest, IsInterruptedForTests) {
  memory_->fire();
  made(7)->run_slice();
  EXPECT_TRUE(starts());
  EXPECT_EQ(num_begun_, 1);
}

}  // namespace
}  // namespace accelerant::runtime
