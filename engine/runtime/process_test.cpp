#include "runtime/process.h"

#include "base/error.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

namespace accelerant::runtime {
namespace {

class Stopped final : public Stoppable {
 public:
  void cancel() override { ++num_cancels_; }
  int num_cancels() const { return num_cancels_; }

 private:
  int num_cancels_ = 0;
};

/// Shuts the engine down, which cannot be undone: in a process of its own.
[[noreturn]] void shut_down_and_exit() {
  const auto lives = std::make_shared<Stopped>();
  register_stoppable(lives);
  register_stoppable(std::make_shared<Stopped>());  // gone again
  scheduler();
  shut_down();
  shut_down();
  bool refuses = false;
  try {
    register_stoppable(lives);
  } catch (const Error& error) {
    refuses = error.kind() == ErrorKind::Cancelled;
  }
  std::_Exit(refuses && lives->num_cancels() == 1 && scheduler().num_threads() == 0 ? 0 : 1);
}

TEST(ProcessDeathTest, ShutsDownWhatLivesAndRefusesWhatComesLater) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(shut_down_and_exit(), testing::ExitedWithCode(0), "");
}

TEST(Process, HasOneSchedulerAndOneArbiter) {
  EXPECT_EQ(&scheduler(), &scheduler());
  EXPECT_GE(scheduler().num_threads(), 1);
  EXPECT_EQ(&arbiter(), &arbiter());
}

}  // namespace
}  // namespace accelerant::runtime
