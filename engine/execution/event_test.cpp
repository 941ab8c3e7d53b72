#include "execution/event.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace accelerant::execution {
namespace {

TEST(Event, TellsAllWhoWaitOnce) {
  Event event;
  int told = 0;
  for (int i = 0; i < 3; ++i) event.on_fire([&] { ++told; });
  EXPECT_FALSE(event.fired());
  EXPECT_EQ(told, 0);
  event.fire();
  event.fire();
  EXPECT_TRUE(event.fired());
  EXPECT_EQ(told, 3);
}

TEST(Event, TellsAtOnceWhoComesLater) {
  Event event;
  event.fire();
  bool is_told = false;
  event.on_fire([&] { is_told = true; });
  EXPECT_TRUE(is_told);
}

TEST(Event, HasFiredWhenWaitersAreToldAndMayBeAskedAgain) {
  Event event;
  bool is_told_again = false;
  event.on_fire([&] {
    EXPECT_TRUE(event.fired());
    event.on_fire([&] { is_told_again = true; });
  });
  event.fire();
  EXPECT_TRUE(is_told_again);
}

TEST(Event, LetsGoOfWaitersWhenItFires) {
  Event event;
  const auto owned = std::make_shared<int>(0);
  event.on_fire([owned] { ++*owned; });
  EXPECT_EQ(owned.use_count(), 2);
  event.fire();
  EXPECT_EQ(owned.use_count(), 1);
}

TEST(Event, TellsEachOfManyThreadsOnce) {
  for (int round = 0; round < 200; ++round) {
    Event event;
    std::atomic<int> told = 0;
    {
      std::jthread waiting([&] {
        for (int i = 0; i < 50; ++i) event.on_fire([&] { ++told; });
      });
      std::jthread firing([&] { event.fire(); });
      std::jthread firing_too([&] { event.fire(); });
    }
    EXPECT_EQ(told, 50);
  }
}

}  // namespace
}  // namespace accelerant::execution
