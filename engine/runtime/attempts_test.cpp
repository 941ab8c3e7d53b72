#include "runtime/attempts.h"

#include "memory/budget.h"

#include <gtest/gtest.h>

#include <vector>

namespace accelerant::runtime {
namespace {

using operators::Step;

TEST(AttemptsTest, AWaitForMemoryIsASuspendedStep) {
  Attempts attempts(0);
  const auto event = std::make_shared<execution::Event>();
  const Step waiting = attempts.make([&]() -> Step { throw memory::MemoryWait{event}; });
  EXPECT_EQ(waiting.kind, Step::Kind::Suspended);
  EXPECT_EQ(waiting.event, event);
  EXPECT_EQ(attempts.make([] { return Step::needs_input(); }).kind, Step::Kind::NeedsInput);
}

TEST(AttemptsTest, AStepWaitsAtFirstAndAtEachReservation) {
  const auto budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  Attempts attempts(7);
  for (int round = 0; round < 2; ++round) {
    std::vector<int> reached;
    const auto step = [&] {
      reached.push_back(0);
      for (int i = 0; i < 3; ++i) {
        const memory::Reservation reservation(budget, 1);
        ++reached.back();
      }
      return Step::finished();
    };
    int num_suspended = 0;
    for (Step made = attempts.make(step); made.kind != Step::Kind::Finished; made = attempts.make(step)) {
      ASSERT_EQ(made.kind, Step::Kind::Suspended);
      EXPECT_TRUE(made.event->fired());
      ++num_suspended;
    }
    EXPECT_EQ(num_suspended, 4);
    EXPECT_EQ(reached, (std::vector<int>{0, 1, 2, 3}));
  }
}

TEST(AttemptsTest, AStepOfManyReservationsComesThrough) {
  const auto budget = std::make_shared<memory::Budget>("test", memory::Budget::kUnlimited);
  Attempts attempts(7);
  int num_made = 0;
  const auto step = [&] {
    ++num_made;
    for (int i = 0; i < 100'000; ++i) const memory::Reservation reservation(budget, 1);
    return Step::finished();
  };
  while (attempts.make(step).kind != Step::Kind::Finished) {
  }
  EXPECT_GT(num_made, 16);
  EXPECT_LT(num_made, 100);
}

}  // namespace
}  // namespace accelerant::runtime
