#include "execution/gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace accelerant::execution {
namespace {

TEST(Gate, LetsManyThroughBesideEachOther) {
  Gate gate;
  Gate::Pass first(gate);
  Gate::Pass second(gate);
  EXPECT_EQ(first.enter(), nullptr);
  EXPECT_EQ(second.enter(), nullptr);
  EXPECT_EQ(first.enter(), nullptr);
  EXPECT_TRUE(first.is_inside());
  first.leave();
  EXPECT_FALSE(first.is_inside());
}

TEST(Gate, TellsWhoWantsToBeAloneWhenTheLastOneHasLeft) {
  Gate gate;
  Gate::Pass inside(gate);
  Gate::Pass alone(gate);
  ASSERT_EQ(inside.enter(), nullptr);
  const EventPtr wait = alone.enter_alone();
  ASSERT_NE(wait, nullptr);
  EXPECT_FALSE(wait->fired());
  inside.leave();
  EXPECT_TRUE(wait->fired());
  EXPECT_EQ(alone.enter_alone(), nullptr);
}

TEST(Gate, HoldsOthersBackUntilWhoWantsToBeAloneWas) {
  Gate gate;
  Gate::Pass inside(gate);
  Gate::Pass alone(gate);
  Gate::Pass later(gate);
  ASSERT_EQ(inside.enter(), nullptr);
  ASSERT_NE(alone.enter_alone(), nullptr);
  EXPECT_NE(later.enter(), nullptr);
  inside.leave();
  EXPECT_NE(later.enter(), nullptr);
  ASSERT_EQ(alone.enter_alone(), nullptr);
  const EventPtr wait = later.enter();
  ASSERT_NE(wait, nullptr);
  alone.leave();
  EXPECT_TRUE(wait->fired());
  EXPECT_EQ(later.enter(), nullptr);
}

TEST(Gate, LetsOthersThroughWhenWhoWantsToBeAloneGoes) {
  Gate gate;
  Gate::Pass inside(gate);
  Gate::Pass later(gate);
  ASSERT_EQ(inside.enter(), nullptr);
  EventPtr wait;
  {
    Gate::Pass alone(gate);
    ASSERT_NE(alone.enter_alone(), nullptr);
    wait = later.enter();
    ASSERT_NE(wait, nullptr);
  }
  EXPECT_TRUE(wait->fired());
  EXPECT_EQ(later.enter(), nullptr);
}

TEST(Gate, KeepsOneAloneAmongManyThreads) {
  Gate gate;
  std::atomic<int> num_beside = 0;
  std::atomic<int> num_alone = 0;
  const auto work = [&](bool wants_alone) {
    for (int i = 0; i < 1000; ++i) {
      Gate::Pass pass(gate);
      while (const EventPtr wait = wants_alone ? pass.enter_alone() : pass.enter()) {
        while (!wait->fired()) std::this_thread::yield();
      }
      std::atomic<int>& own = wants_alone ? num_alone : num_beside;
      ++own;
      EXPECT_LE(num_alone, 1);
      EXPECT_TRUE(num_alone == 0 || num_beside == 0);
      --own;
    }
  };
  std::vector<std::jthread> threads;
  for (const bool wants_alone : {true, true, false, false}) threads.emplace_back(work, wants_alone);
}

}  // namespace
}  // namespace accelerant::execution
