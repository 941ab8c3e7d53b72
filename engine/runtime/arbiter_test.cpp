#include "runtime/arbiter.h"

#include "base/error.h"
#include "memory/memory_wait.h"
#include "runtime/attempts.h"
#include "runtime/resumable_task.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace accelerant::runtime {
namespace {

using execution::EventPtr;
using memory::Budget;

/// Queries of which each may take 60 bytes, of 100 for all.
class ArbiterTest : public testing::Test {
 protected:
  struct Query {
    explicit Query(ArbiterTest& test, int64_t limit = 60)
        : budget(std::make_shared<Budget>("query", limit, test.process_)), participant(test.arbiter_.join(budget)) {
      participant->begin_work();
    }

    /// Reserves in a step: returns the event that it waits for, nullptr where it has reserved. Throws where it fails.
    EventPtr take(int64_t bytes) const {
      const Participant::StepScope scope(participant.get());
      try {
        budget->reserve(bytes);
      } catch (const memory::MemoryWait& wait) {
        scope.wait(wait, retries);
        return wait.event;
      }
      participant->note_progress();
      return nullptr;
    }
    /// Likewise, for a task that is suspended if it has to wait.
    EventPtr take_or_park(int64_t bytes) const {
      EventPtr wait = take(bytes);
      if (!wait) return nullptr;
      wait->on_fire([task_of = participant] { task_of->begin_work(); });
      participant->end_work();
      return wait;
    }

    const std::shared_ptr<Budget> budget;
    const std::shared_ptr<Participant> participant;
    mutable std::shared_ptr<Retries> retries;
  };

  ArbiterTest() { process_->set_arbiter(&arbiter_); }

  Arbiter arbiter_;
  const std::shared_ptr<Budget> process_ = std::make_shared<Budget>("process", 100);
};

TEST_F(ArbiterTest, WhoMakesNoStepFails) {
  const Query query(*this);
  EXPECT_THROW(query.budget->reserve(61), Error);
}

TEST_F(ArbiterTest, WhoCanDoWithLessFailsAtOnce) {
  const Query query(*this);
  const memory::WithoutWaiting at_once;
  EXPECT_THROW(query.take(61), Error);
}

TEST_F(ArbiterTest, AStepWaitsUntilThereIsRoomForIt) {
  const Query query(*this);
  query.participant->begin_work();  // another task
  ASSERT_EQ(query.take(50), nullptr);
  const EventPtr wait = query.take_or_park(30);
  ASSERT_TRUE(wait);
  query.budget->release(19);
  EXPECT_FALSE(wait->fired());
  query.budget->release(1);
  EXPECT_TRUE(wait->fired());
  EXPECT_EQ(query.take(30), nullptr);
}

TEST_F(ArbiterTest, AStepWaitsForAnotherQuery) {
  const Query one(*this);
  const Query other(*this);
  ASSERT_EQ(one.take(60), nullptr);
  const EventPtr wait = other.take_or_park(50);
  ASSERT_TRUE(wait);
  EXPECT_FALSE(wait->fired());
  one.budget->release(10);
  EXPECT_TRUE(wait->fired());
}

TEST_F(ArbiterTest, AQueryThatLacksItsOwnMemoryWaitsForNobodyElse) {
  const Query one(*this);
  const Query other(*this);
  ASSERT_EQ(one.take(40), nullptr);
  const EventPtr wait = one.take_or_park(30);
  ASSERT_TRUE(wait);
  EXPECT_TRUE(wait->fired());
  EXPECT_THROW(one.take(30), Error);
}

TEST_F(ArbiterTest, AQueryWaitsForNoOthersWhoseMemoryWouldNotBeEnough) {
  const Query one(*this, 100);
  const Query other(*this);
  ASSERT_EQ(one.take(70), nullptr);
  ASSERT_EQ(other.take(20), nullptr);
  const EventPtr wait = one.take_or_park(31);
  ASSERT_TRUE(wait);
  EXPECT_TRUE(wait->fired());
  EXPECT_THROW(one.take(31), Error);
  EXPECT_THROW(one.take(31), Error) << "the order to yield holds until a step comes through";
  one.participant->note_progress();
  EXPECT_TRUE(one.take(30));
}

TEST_F(ArbiterTest, AQueryWaitsForItsConsumerAsLongAsThatDoesNotWaitForIt) {
  const Query query(*this);
  ASSERT_EQ(query.take(50), nullptr);
  query.participant->begin_consuming();
  const EventPtr first = query.take_or_park(30);
  EXPECT_FALSE(first->fired());
  query.budget->release(20);
  ASSERT_TRUE(first->fired());
  ASSERT_EQ(query.take(30), nullptr);
  const EventPtr second = query.take_or_park(30);
  EXPECT_FALSE(second->fired());
  query.participant->end_consuming();
  ASSERT_TRUE(second->fired());
  EXPECT_THROW(query.take(30), Error);
}

TEST_F(ArbiterTest, AQueryWaitsForNoConsumerOfAnother) {
  const Query one(*this);
  const Query other(*this);
  ASSERT_EQ(other.take(60), nullptr);
  other.participant->begin_consuming();
  const EventPtr of_other = other.take_or_park(50);
  EXPECT_FALSE(of_other->fired());
  const EventPtr of_one = one.take_or_park(50);
  EXPECT_TRUE(of_one->fired());
  EXPECT_FALSE(of_other->fired());
  EXPECT_THROW(one.take(50), Error);
  other.participant->end_consuming();
}

TEST_F(ArbiterTest, WhatIsReservedBesideTheProcessIsNotAskedForAgain) {
  const Query query(*this);
  const Query holder(*this);
  ASSERT_EQ(holder.take(60), nullptr);
  const auto elsewhere = std::make_shared<Budget>("elsewhere", 100);
  const Participant::StepScope scope(query.participant.get());
  try {
    const memory::Reservation other(elsewhere, 50);
    query.budget->reserve(41);
    FAIL() << "there is no room";
  } catch (const memory::MemoryWait& wait) {
    EXPECT_EQ(wait.bytes, 41);
  }
}

TEST_F(ArbiterTest, AnEventThatNobodyWaitsForAnyMoreIsForgotten) {
  const Query query(*this);
  query.participant->begin_work();  // another task
  ASSERT_EQ(query.take(50), nullptr);
  const EventPtr wait = query.take_or_park(30);
  query.participant->forget(wait);
  query.budget->release(50);
  EXPECT_FALSE(wait->fired());
}

TEST_F(ArbiterTest, TheYoungestYieldsWhereNobodyIsAtWork) {
  const Query oldest(*this);
  const Query youngest(*this);
  ASSERT_EQ(oldest.take(50), nullptr);
  ASSERT_EQ(youngest.take(50), nullptr);
  const EventPtr of_youngest = youngest.take_or_park(10);
  EXPECT_FALSE(of_youngest->fired());
  const EventPtr of_oldest = oldest.take_or_park(10);
  EXPECT_FALSE(of_oldest->fired());
  ASSERT_TRUE(of_youngest->fired());
  EXPECT_THROW(youngest.take(10), Error);
  youngest.budget->release(50);
  EXPECT_TRUE(of_oldest->fired());
}

TEST_F(ArbiterTest, OthersYieldWhereNobodyIsLeftOfTheYoungest) {
  const Query oldest(*this);
  const Query youngest(*this);
  ASSERT_EQ(oldest.take(40), nullptr);
  const memory::Reservation others(process_, 50);
  const EventPtr of_nobody = youngest.take(60);
  youngest.participant->end_work();
  const EventPtr wait = oldest.take_or_park(20);
  EXPECT_TRUE(of_nobody->fired());
  EXPECT_TRUE(wait->fired());
}

TEST_F(ArbiterTest, AStepWaitsForRoomForAllThatItAsksFor) {
  const Query query(*this);
  query.participant->begin_work();  // another task
  ASSERT_EQ(query.take(40), nullptr);
  std::shared_ptr<Retries> retries;
  EventPtr event;
  {
    const Participant::StepScope scope(query.participant.get());
    try {
      const memory::Reservation first(query.budget, 15);
      const memory::Reservation second(query.budget, 15);
    } catch (const memory::MemoryWait& wait) {
      EXPECT_EQ(wait.bytes, 30);
      scope.wait(wait, retries);
      event = wait.event;
    }
  }
  ASSERT_TRUE(event);
  query.budget->release(9);
  EXPECT_FALSE(event->fired());
  query.budget->release(1);
  EXPECT_TRUE(event->fired());
}

TEST_F(ArbiterTest, AStepIsMadeAgainOnceUntilAnotherComesThrough) {
  const Query query(*this);
  query.participant->begin_work();  // another task
  ASSERT_EQ(query.take(50), nullptr);
  const EventPtr first = query.take_or_park(30);
  query.budget->release(20);
  ASSERT_TRUE(first->fired());
  query.budget->reserve(20);  // somebody was quicker
  const EventPtr second = query.take_or_park(30);
  query.budget->release(20);
  EXPECT_FALSE(second->fired());
  query.participant->note_progress();
  EXPECT_TRUE(second->fired());
}

/// Makes steps that take 90 bytes, one tenth after the other, and give them back.
class GreedyTask final : public ResumableTask {
 public:
  GreedyTask(Scheduler& scheduler, std::shared_ptr<Participant> participant, std::shared_ptr<Budget> budget)
      : ResumableTask(scheduler, std::move(participant)),
        budget_(std::move(budget)),
        attempts_(0, this->participant()) {}

  bool run_slice() override {
    try {
      while (num_steps_ > 0) {
        const operators::Step made = attempts_.make([&] {
          std::vector<memory::Reservation> parts;
          while (parts.size() < 10) {
            parts.emplace_back(budget_, 9);
            std::this_thread::yield();
          }
          return operators::Step::finished();
        });
        if (made.kind == operators::Step::Kind::Suspended) {
          suspend(made.event, [] { return false; });
          return false;
        }
        --num_steps_;
      }
    } catch (const Error&) {
      failed = true;
    }
    ended.set_value();
    end_work();
    return false;
  }

  std::promise<void> ended;
  bool failed = false;

 private:
  const std::shared_ptr<Budget> budget_;
  Attempts attempts_;
  int num_steps_ = 200;
};

TEST_F(ArbiterTest, StepsThatWantAlmostAllThereIsDoNotDisturbEachOtherForEver) {
  Scheduler scheduler(4);
  for (const int num_queries : {1, 2, 4}) {
    std::vector<std::shared_ptr<GreedyTask>> tasks;
    std::vector<std::future<void>> ends;
    for (int i = 0; i < num_queries; ++i) {
      const auto budget = std::make_shared<Budget>("query", 100, process_);
      const auto participant = arbiter_.join(budget);
      for (int task = 0; task < 4 / num_queries; ++task) {
        tasks.push_back(std::make_shared<GreedyTask>(scheduler, participant, budget));
        ends.push_back(tasks.back()->ended.get_future());
      }
    }
    for (const auto& task : tasks) scheduler.submit(task);
    for (std::future<void>& end : ends) {
      ASSERT_EQ(end.wait_for(std::chrono::seconds(60)), std::future_status::ready) << num_queries;
    }
    for (const auto& task : tasks) EXPECT_FALSE(task->failed) << num_queries;
    ASSERT_EQ(process_->used_bytes(), 0);
  }
}

/// Reserves, holds and gives back by chance, and waits where it has to.
class RandomTask final : public ResumableTask {
 public:
  RandomTask(Scheduler& scheduler, std::shared_ptr<Participant> participant, std::shared_ptr<Budget> budget,
             unsigned seed)
      : ResumableTask(scheduler, std::move(participant)),
        budget_(std::move(budget)),
        random_(seed),
        attempts_(0, this->participant()) {}

  bool run_slice() override {
    while (num_steps_-- > 0) {
      if (random_() % 3 == 0 || held_ > 50) give_back();
      if (random_() % 8 == 0) {
        // A disk that is through at once.
        const auto disk = std::make_shared<execution::Event>(true);
        suspend(disk, [disk] { return false; });
        disk->fire();
        return false;
      }
      try {
        const auto bytes = static_cast<int64_t>(random_() % 30);
        const auto step = [&] {
          budget_->reserve(bytes);
          return operators::Step::finished();
        };
        const operators::Step made = attempts_.make(step);
        if (made.kind == operators::Step::Kind::Suspended) {
          ++num_steps_;
          ++num_waits;
          suspend(made.event, [] { return false; });
          return false;
        }
        held_ += bytes;
      } catch (const Error&) {
        ++num_failures;
        break;
      }
      if (random_() % 4 == 0) return true;
    }
    give_back();
    ended.set_value();
    end_work();
    return false;
  }

  std::promise<void> ended;
  int num_waits = 0;
  int num_failures = 0;

 private:
  void give_back() { budget_->release(std::exchange(held_, 0)); }

  const std::shared_ptr<Budget> budget_;
  std::minstd_rand random_;
  Attempts attempts_;
  int64_t held_ = 0;
  int num_steps_ = 40;
};

TEST_F(ArbiterTest, NoSetOfQueriesWaitsForItself) {
  Scheduler scheduler(4);
  int num_waits = 0;
  int num_failures = 0;
  constexpr int kSchedules = 1000;
  for (unsigned seed = 0; seed < kSchedules; ++seed) {
    std::vector<std::shared_ptr<RandomTask>> tasks;
    for (int query = 0; query < 3; ++query) {
      const auto budget = std::make_shared<Budget>("query", 60, process_);
      const auto participant = arbiter_.join(budget);
      for (int i = 0; i < 2; ++i) {
        tasks.push_back(std::make_shared<RandomTask>(scheduler, participant, budget,
                                                     1 + seed * 6 + static_cast<unsigned>(tasks.size())));
      }
    }
    std::vector<std::future<void>> ends;
    for (const auto& task : tasks) ends.push_back(task->ended.get_future());
    for (const auto& task : tasks) scheduler.submit(task);
    for (std::future<void>& end : ends) {
      ASSERT_EQ(end.wait_for(std::chrono::seconds(60)), std::future_status::ready) << seed;
    }
    for (const auto& task : tasks) {
      num_waits += task->num_waits;
      num_failures += task->num_failures;
    }
    ASSERT_EQ(process_->used_bytes(), 0);
  }
  EXPECT_GT(num_waits, kSchedules);
  // One of six at most where all of them wait.
  EXPECT_LT(num_failures, num_waits);
}

}  // namespace
}  // namespace accelerant::runtime
