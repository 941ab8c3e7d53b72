#include "runtime/shared_stages.h"

#include "base/error.h"
#include "runtime/test_queries.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>

namespace accelerant::runtime {
namespace {

using std::chrono::milliseconds;
using test::Numbers;

constexpr int64_t kEndless = int64_t{1} << 50;

std::shared_ptr<SharedStages> started(const std::shared_ptr<Query>& query) {
  auto stages = std::make_shared<SharedStages>(query);
  stages->start();
  return stages;
}

/// Returns the kind of what stages failed with, once they have.
ErrorKind failure_of(const SharedStages& stages) {
  EXPECT_TRUE(stages.wait(test::kPatience));
  EXPECT_TRUE(stages.has_failed());
  try {
    stages.results();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "the stages did not fail";
  return ErrorKind::Internal;
}

TEST(SharedStages, MakeWhatTheLastStageReads) {
  const auto query = test::open(Numbers(1000).grouped());
  ASSERT_EQ(query->physical_plan().stages.size(), 2);
  const auto stages = started(query);
  std::promise<void> told;
  stages->done()->on_fire([&] { told.set_value(); });
  told.get_future().wait();
  EXPECT_TRUE(stages->wait(milliseconds(0)));
  EXPECT_FALSE(stages->has_failed());
  EXPECT_TRUE(stages->results().rows.contains(query->physical_plan().stages[0].breaker.get()));
}

TEST(SharedStages, AreMadeOnceForAllWhoWait) {
  Numbers plan(1000);
  const auto query = test::open(plan.grouped());
  const auto stages = started(query);
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(stages->wait(test::kPatience));
  EXPECT_EQ(query->nodes().read()[static_cast<size_t>(plan.range) * NodeContexts::kCountersPerNode], 1000);
}

TEST(SharedStages, FailWithWhatTheyMet) {
  const auto stages = started(test::open(Numbers(1000).failing_groups()));
  EXPECT_EQ(failure_of(*stages), ErrorKind::User);
}

TEST(SharedStages, GiveUpWaitingInTimeAndEndWhenCancelled) {
  const auto stages = started(test::open(Numbers(kEndless).grouped()));
  EXPECT_FALSE(stages->wait(milliseconds(1)));
  EXPECT_FALSE(stages->has_failed());
  stages->cancel();
  EXPECT_EQ(failure_of(*stages), ErrorKind::Cancelled);
}

TEST(SharedStages, EndWhenTheLastWhoReadsThemLeaves) {
  const auto stages = started(test::open(Numbers(kEndless).grouped()));
  stages->join();
  stages->join();
  stages->leave();
  EXPECT_FALSE(stages->wait(milliseconds(1)));
  stages->leave();
  EXPECT_EQ(failure_of(*stages), ErrorKind::Cancelled);
}

TEST(SharedStages, EndWhereTheyAreCancelledWhileTheirStartIsInterrupted) {
  RunOptions options;
  options.interruptions = 7;
  const auto stages = started(test::open(Numbers(kEndless).grouped(), options));
  stages->cancel();
  EXPECT_EQ(failure_of(*stages), ErrorKind::Cancelled);
}

TEST(SharedStages, EndAtOnceWhereTheyAreCancelledBeforeTheyStart) {
  const auto stages = std::make_shared<SharedStages>(test::open(Numbers(kEndless).grouped()));
  stages->cancel();
  stages->start();
  EXPECT_EQ(failure_of(*stages), ErrorKind::Cancelled);
}

}  // namespace
}  // namespace accelerant::runtime
