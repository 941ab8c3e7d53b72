#include "base/notices.h"

#include <gtest/gtest.h>

#include <thread>

namespace accelerant {
namespace {

class NoticesTest : public testing::Test {
 protected:
  NoticesTest() { take_notices(); }
};

TEST_F(NoticesTest, AreTakenOnceInOrder) {
  add_notice("first");
  add_notice("second");
  EXPECT_EQ(take_notices(), (std::vector<std::string>{"first", "second"}));
  EXPECT_TRUE(take_notices().empty());
}

TEST_F(NoticesTest, AreCountedAloneWhereTooManyWait) {
  for (size_t i = 0; i < kMaxNotices + 3; ++i) add_notice(std::to_string(i));
  const std::vector<std::string> lines = take_notices();
  ASSERT_EQ(lines.size(), kMaxNotices + 1);
  EXPECT_EQ(lines[kMaxNotices - 1], std::to_string(kMaxNotices - 1));
  EXPECT_EQ(lines.back(), "and 3 notices more");
  add_notice("later");
  EXPECT_EQ(take_notices(), std::vector<std::string>{"later"});
}

TEST_F(NoticesTest, ComeFromManyThreadsToOneTakerEach) {
  constexpr int kThreads = 4;
  constexpr int kEach = 500;
  std::vector<size_t> taken(kThreads);
  {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < kThreads; ++i) {
      threads.emplace_back([&taken, i] {
        for (int n = 0; n < kEach; ++n) {
          add_notice("a line");
          taken[i] += take_notices().size();
        }
      });
    }
  }
  size_t all = take_notices().size();
  for (const size_t count : taken) all += count;
  EXPECT_EQ(all, kThreads * kEach);
}

}  // namespace
}  // namespace accelerant
