#include "codegen/background_compiler.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <utility>

namespace accelerant::codegen {
namespace {

class NamedKernel final : public CompiledKernel {
 public:
  explicit NamedKernel(std::string name) : name_(std::move(name)), entry_{name_.c_str(), 256, 0, 0, nullptr} {}
  const device::KernelEntry& entry() const override { return entry_; }

 private:
  const std::string name_;
  const device::KernelEntry entry_;
};

/// What tests and a maker share.
struct Course {
  std::atomic<int> num_made = 0;
  std::mutex gate;  ///< held: nothing is made
};

/// Fails for texts that say so.
class TestMaker final : public KernelMaker {
 public:
  explicit TestMaker(std::shared_ptr<Course> course) : course_(std::move(course)) {}

  std::shared_ptr<const CompiledKernel> find_kept(const KernelText& text) override {
    if (text.text == "kept, damaged") throw Error(ErrorKind::Internal, "no machine code");
    return text.text == "kept" ? std::make_shared<NamedKernel>(text.name) : nullptr;
  }
  std::shared_ptr<const CompiledKernel> make(const KernelText& text) override {
    const std::lock_guard lock(course_->gate);
    ++course_->num_made;
    if (text.text == "wrong") throw Error(ErrorKind::Internal, "line 7 is wrong");
    if (text.text == "no error of ours") throw std::runtime_error("out of threads");
    return std::make_shared<NamedKernel>(text.name);
  }

 private:
  const std::shared_ptr<Course> course_;
};

class BackgroundCompilerTest : public testing::Test {
 protected:
  /// Returns a kernel's name, what is wrong with it, or that there is no answer yet.
  std::string answer(const KernelText& text) {
    try {
      const auto kernel = compiler_.find(text);
      return kernel ? kernel->entry().name : kNoAnswer;
    } catch (const Error& error) {
      return error.message();
    }
  }
  /// Asks until there is an answer.
  std::string wait_for(const KernelText& text) {
    for (;;) {
      const std::string found = answer(text);
      if (found != kNoAnswer) return found;
      std::this_thread::yield();
    }
  }

  static constexpr const char* kNoAnswer = "no answer";

  const std::shared_ptr<Course> course_ = std::make_shared<Course>();
  BackgroundCompiler compiler_{std::make_unique<TestMaker>(course_)};
};

TEST_F(BackgroundCompilerTest, IsAskedAgainUntilAKernelIsThere) {
  const KernelText text{"first", "text"};
  {
    const std::lock_guard lock(course_->gate);
    EXPECT_EQ(compiler_.find(text), nullptr);
    EXPECT_EQ(compiler_.find(text), nullptr);
  }
  EXPECT_EQ(wait_for(text), "first");
  EXPECT_EQ(compiler_.find(text), compiler_.find(text));
  EXPECT_EQ(course_->num_made, 1);
}

TEST_F(BackgroundCompilerTest, ReturnsAtOnceWhatWasKept) {
  const auto kernel = compiler_.find({"old", "kept"});
  ASSERT_NE(kernel, nullptr);
  EXPECT_EQ(kernel->entry().name, std::string("old"));
  EXPECT_EQ(wait_for({"old", "kept, damaged"}), "no machine code");
  EXPECT_EQ(course_->num_made, 0);
}

TEST_F(BackgroundCompilerTest, SaysEveryTimeWhatIsWrong) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(wait_for({"a kernel", "wrong"}), "line 7 is wrong");
    EXPECT_EQ(wait_for({"a kernel", "no error of ours"}), "a kernel is not compiled: out of threads");
  }
  EXPECT_EQ(course_->num_made, 2);
}

TEST_F(BackgroundCompilerTest, TellsWhenAKernelIsCompiledOrIsNot) {
  for (const char* text : {"text", "wrong"}) {
    std::promise<void> told;
    {
      const std::lock_guard lock(course_->gate);
      const execution::EventPtr event = compiler_.next_compiled();
      EXPECT_EQ(compiler_.find({"kernel", text}), nullptr);
      EXPECT_FALSE(event->fired());
      event->on_fire([&] { told.set_value(); });
    }
    told.get_future().wait();
    EXPECT_EQ(answer({"kernel", text}), std::string(text) == "text" ? "kernel" : "line 7 is wrong");
    EXPECT_FALSE(compiler_.next_compiled()->fired());
  }
}

TEST_F(BackgroundCompilerTest, ServesManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this] {
      for (int i = 0; i < 20; ++i) EXPECT_EQ(wait_for({"kernel", std::to_string(i)}), "kernel");
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(course_->num_made, 20);
}

TEST(BackgroundCompiler, EndsWithoutWhatWaits) {
  const auto course = std::make_shared<Course>();
  auto compiler = std::make_unique<BackgroundCompiler>(std::make_unique<TestMaker>(course));
  execution::EventPtr ended;
  std::thread end;
  {
    const std::lock_guard lock(course->gate);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(compiler->find({"kernel", std::to_string(i)}), nullptr);
    ended = compiler->next_compiled();
    // Ends while the first is being made at most.
    end = std::thread([&] { compiler.reset(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  end.join();
  EXPECT_LE(course->num_made, 1);
  EXPECT_TRUE(ended->fired());
}

}  // namespace
}  // namespace accelerant::codegen
