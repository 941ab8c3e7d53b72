#include "runtime/pipeline.h"

#include "base/error.h"
#include "columns/test_columns.h"
#include "memory/memory_wait.h"
#include "operators/output_queue.h"
#include "operators/result.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

namespace accelerant::runtime {
namespace {

using columns::Batch;
using operators::Step;

/// Emits `num_morsels` morsels of two batches, each holding its place.
class PlaceSource final : public operators::Source {
 public:
  explicit PlaceSource(int64_t num_morsels) : num_morsels_(num_morsels) {}

  std::string_view name() const override { return "PlaceSource"; }
  std::unique_ptr<operators::State> make_state() override { return std::make_unique<Place>(); }
  int64_t num_morsels() const override { return num_morsels_; }

  Step next(operators::State& state, Batch& out) override {
    auto& place = static_cast<Place&>(state);
    if (place.sequence == 0) {
      place.morsel = taken_++;
      if (place.morsel >= num_morsels_) return Step::finished();
    }
    out = Batch();
    out.morsel = place.morsel;
    out.sequence = place.sequence;
    out.num_rows = 1;
    out.columns = {columns::test::make_longs({place.morsel * 2 + place.sequence})};
    out.ends_morsel = place.sequence == 1;
    place.sequence = 1 - place.sequence;
    return Step::has_output();
  }

 private:
  struct Place final : operators::State {
    int64_t morsel = 0;
    int64_t sequence = 0;
  };

  const int64_t num_morsels_;
  std::atomic<int64_t> taken_{0};
};

/// Doubles every batch, and throws from a chosen value on.
class Twice final : public operators::Transform {
 public:
  explicit Twice(int64_t bad_value) : bad_value_(bad_value) {}

  std::string_view name() const override { return "Twice"; }
  std::unique_ptr<operators::State> make_state() const override { return std::make_unique<Half>(); }

  Step process(operators::State& state, Batch& in, std::optional<Batch>& out) const override {
    auto& half = static_cast<Half&>(state);
    if (!half.second) {
      const int64_t value = in.columns[0]->values<int64_t>()[0];
      if (bad_value_ >= 0 && value >= bad_value_) throw Error(ErrorKind::User, "bad value " + std::to_string(value));
      half.batch = std::move(in);
      out = half.batch;
      out->ends_morsel = false;
      half.second = true;
      return Step::has_output();
    }
    out = std::move(half.batch);
    half.second = false;
    return Step::needs_input();
  }

 private:
  struct Half final : operators::State {
    Batch batch;
    bool second = false;
  };

  const int64_t bad_value_;
};

class PipelineTest : public testing::Test {
 protected:
  /// Starts a pipeline of PlaceSource, Twice and a result queue that holds little.
  void start(int64_t num_morsels, int64_t bad_value = -1) {
    Pipeline pipeline;
    add_feed(pipeline, num_morsels, bad_value);
    start(std::move(pipeline));
  }

  PipelineFeed& add_feed(Pipeline& pipeline, int64_t num_morsels, int64_t bad_value = -1) {
    PipelineFeed& feed = pipeline.feeds.emplace_back();
    feed.source = std::make_unique<PlaceSource>(num_morsels);
    feed.source_metrics = &metrics_[0];
    feed.transforms.push_back({std::make_unique<Twice>(bad_value), &metrics_[1]});
    return feed;
  }

  void start(Pipeline pipeline) {
    pipeline.sink = std::make_shared<operators::ResultSink>(
        queue_, execution::OperatorContext{columns::test::unlimited(), &cancellation_, &metrics_[2], 0, 1});
    pipeline.sink_metrics = &metrics_[2];
    run_ = std::make_shared<PipelineRun>(std::move(pipeline), cancellation_, [this](std::exception_ptr error) {
      queue_->close(error);
      done_.set_value();
    });
    run_->start(scheduler_, 4);
  }

  Scheduler scheduler_{4};
  execution::Metrics metrics_[3];
  execution::Cancellation cancellation_;
  std::shared_ptr<operators::OutputQueue> queue_ = std::make_shared<operators::OutputQueue>(64);
  std::promise<void> done_;
  std::shared_ptr<PipelineRun> run_;
};

constexpr std::chrono::seconds kLong(60);

TEST_F(PipelineTest, DeliversInOrderThroughAFullQueue) {
  start(500);
  for (int64_t i = 0; i < 1000; ++i) {
    for (int copy = 0; copy < 2; ++copy) {
      Batch out;
      ASSERT_EQ(queue_->pop(out, kLong), operators::OutputQueue::Pop::Batch);
      ASSERT_EQ(out.columns[0]->values<int64_t>()[0], i);
    }
  }
  Batch out;
  EXPECT_EQ(queue_->pop(out, kLong), operators::OutputQueue::Pop::End);
  done_.get_future().wait();
  EXPECT_EQ(metrics_[0].output_rows, 1000);
  EXPECT_EQ(metrics_[1].output_rows, 2000);
}

TEST_F(PipelineTest, EndsWithTheFirstErrorInOrderAfterTheRowsBeforeIt) {
  start(500, 700);
  int64_t num_rows = 0;
  try {
    Batch out;
    for (; queue_->pop(out, kLong) != operators::OutputQueue::Pop::End; ++num_rows) {
      EXPECT_EQ(out.columns[0]->values<int64_t>()[0], num_rows / 2);
    }
    FAIL() << "no error came";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "bad value 700");
  }
  EXPECT_EQ(num_rows, 1400);
  done_.get_future().wait();
}

TEST_F(PipelineTest, GivesOutOneFeedAfterTheOther) {
  Pipeline pipeline;
  for (const int64_t num_morsels : {30, 0, 50}) add_feed(pipeline, num_morsels);
  pipeline.feeds.back().after_others = true;
  start(std::move(pipeline));
  for (const int64_t num_morsels : {30, 50}) {
    for (int64_t i = 0; i < num_morsels * 4; ++i) {
      Batch out;
      ASSERT_EQ(queue_->pop(out, kLong), operators::OutputQueue::Pop::Batch);
      ASSERT_EQ(out.columns[0]->values<int64_t>()[0], i / 2);
    }
  }
  Batch out;
  EXPECT_EQ(queue_->pop(out, kLong), operators::OutputQueue::Pop::End);
  done_.get_future().wait();
}

/// Counts what passes, and checks that all of it came before what comes after.
class Before final : public operators::Transform {
 public:
  Before(std::atomic<int>& passed, int must_have_passed) : passed_(passed), must_have_passed_(must_have_passed) {}

  std::string_view name() const override { return "Before"; }
  std::unique_ptr<operators::State> make_state() const override { return std::make_unique<operators::State>(); }
  Step process(operators::State&, Batch& in, std::optional<Batch>& out) const override {
    EXPECT_GE(passed_, must_have_passed_);
    std::this_thread::yield();
    ++passed_;
    out = std::move(in);
    return Step::needs_input();
  }

 private:
  std::atomic<int>& passed_;
  const int must_have_passed_;
};

TEST_F(PipelineTest, HoldsAFeedBackUntilAllDriversAreThroughWithThoseBefore) {
  std::atomic<int> passed{0};
  Pipeline pipeline;
  for (const int must_have_passed : {0, 200}) {
    PipelineFeed& feed = add_feed(pipeline, 100);
    feed.transforms[0].transform = std::make_unique<Before>(passed, must_have_passed);
    feed.after_others = must_have_passed > 0;
  }
  start(std::move(pipeline));
  Batch out;
  while (queue_->pop(out, kLong) == operators::OutputQueue::Pop::Batch) {
  }
  EXPECT_EQ(passed, 400);
  done_.get_future().wait();
}

TEST_F(PipelineTest, FailsWhileOthersWaitForTheNextFeed) {
  Pipeline pipeline;
  add_feed(pipeline, 1, 1);
  add_feed(pipeline, 10).after_others = true;
  start(std::move(pipeline));
  Batch out;
  EXPECT_THROW(while (queue_->pop(out, kLong) != operators::OutputQueue::Pop::End){}, Error);
  ASSERT_EQ(done_.get_future().wait_for(kLong), std::future_status::ready);
}

TEST_F(PipelineTest, StopsDriversThatWaitForAConsumer) {
  start(500);
  Batch out;
  ASSERT_EQ(queue_->pop(out, kLong), operators::OutputQueue::Pop::Batch);
  cancellation_.cancel();
  run_->stop();
  ASSERT_EQ(done_.get_future().wait_for(kLong), std::future_status::ready);
  EXPECT_THROW(while (queue_->pop(out, kLong) != operators::OutputQueue::Pop::End){}, Error);
}

/// Notes whether it was finished; the run may be stopped while it takes its first batch.
class NotingSink final : public operators::Sink {
 public:
  std::string_view name() const override { return "Noting"; }
  std::unique_ptr<operators::State> make_state() override { return std::make_unique<operators::State>(); }
  Step consume(operators::State&, Batch&) override {
    if (on_batch) std::exchange(on_batch, nullptr)();
    return Step::needs_input();
  }
  Step combine(operators::State&) override { return Step::finished(); }
  Step finish() override {
    finished = true;
    return Step::finished();
  }

  std::function<void()> on_batch;
  bool finished = false;
};

TEST_F(PipelineTest, NeverTakesAStoppedRunForAFinishedOne) {
  for (const bool stops : {false, true}) {
    Pipeline pipeline;
    add_feed(pipeline, 1);
    const auto sink = std::make_shared<NotingSink>();
    pipeline.sink = sink;
    pipeline.sink_metrics = &metrics_[2];
    std::promise<std::exception_ptr> ended;
    const auto run = std::make_shared<PipelineRun>(std::move(pipeline), cancellation_,
                                                   [&](std::exception_ptr error) { ended.set_value(error); });
    if (stops) sink->on_batch = [&] { run->stop(); };
    run->start(scheduler_, 1);
    const std::exception_ptr error = ended.get_future().get();
    EXPECT_EQ(error != nullptr, stops);
    EXPECT_EQ(sink->finished, !stops);
  }
}

/// Leaves work for after it is finished; one piece of it may fail.
class FinishTaskSink final : public operators::Sink {
 public:
  explicit FinishTaskSink(int64_t failing) : failing_(failing), done_(100) {}

  std::string_view name() const override { return "Piece"; }
  std::unique_ptr<operators::State> make_state() override { return std::make_unique<operators::State>(); }
  Step consume(operators::State&, Batch&) override { return Step::needs_input(); }
  Step combine(operators::State&) override { return Step::finished(); }
  Step finish() override {
    finished_ = true;
    return Step::finished();
  }
  int64_t num_finish_tasks() const override { return finished_ ? static_cast<int64_t>(done_.size()) : 0; }
  Step run_finish_task(int64_t piece) override {
    if (piece == failing_) throw Error(ErrorKind::Resource, "no room");
    ++done_[static_cast<size_t>(piece)];
    return Step::finished();
  }
  int64_t times_done(int times) const { return std::count(done_.begin(), done_.end(), times); }

 private:
  const int64_t failing_;
  bool finished_ = false;
  std::vector<std::atomic<int>> done_;
};

/// Waits for memory once in each step of its completion, until somebody gives it.
class WaitingSink final : public operators::Sink {
 public:
  std::string_view name() const override { return "Waiting"; }
  std::unique_ptr<operators::State> make_state() override { return std::make_unique<Waits>(); }
  Step consume(operators::State&, Batch&) override { return Step::needs_input(); }
  Step combine(operators::State& state) override { return wait(static_cast<Waits&>(state).has_waited); }
  Step finish() override { return wait(has_waited_[0]); }
  int64_t num_finish_tasks() const override { return 3; }
  Step run_finish_task(int64_t task) override { return wait(has_waited_[static_cast<size_t>(task) + 1]); }

  /// Gives memory to who waits next; returns false where nobody does for long.
  bool give() {
    std::unique_lock lock(mutex_);
    if (!one_waits_.wait_for(lock, kLong, [this] { return waiting_ != nullptr; })) return false;
    const execution::EventPtr event = std::exchange(waiting_, nullptr);
    lock.unlock();
    event->fire();
    return true;
  }

 private:
  struct Waits final : operators::State {
    bool has_waited = false;
  };

  Step wait(bool& has_waited) {
    if (std::exchange(has_waited, true)) return Step::finished();
    auto event = std::make_shared<execution::Event>();
    {
      const std::lock_guard lock(mutex_);
      waiting_ = event;
    }
    one_waits_.notify_all();
    throw memory::MemoryWait{std::move(event)};
  }

  std::mutex mutex_;
  std::condition_variable one_waits_;
  execution::EventPtr waiting_;
  std::array<bool, 4> has_waited_{};
};

class CompletionTest : public PipelineTest {
 protected:
  /// Runs a pipeline into a sink, on one worker, so that its steps come one after the other. Returns what it ends with.
  std::future<std::exception_ptr> complete(const std::shared_ptr<operators::Sink>& sink,
                                           const execution::Cancellation& cancellation) {
    Pipeline pipeline;
    add_feed(pipeline, 20);
    pipeline.sink = sink;
    pipeline.sink_metrics = &metrics_[2];
    auto ended = std::make_shared<std::promise<std::exception_ptr>>();
    run_ = std::make_shared<PipelineRun>(std::move(pipeline), cancellation,
                                         [ended](std::exception_ptr error) { ended->set_value(std::move(error)); });
    run_->start(scheduler_, 1);
    return ended->get_future();
  }

  static constexpr int kWaits = 5;  ///< of a WaitingSink
};

TEST_F(CompletionTest, EachStepWaitsForMemoryAndGoesOn) {
  const auto sink = std::make_shared<WaitingSink>();
  auto ended = complete(sink, cancellation_);
  for (int waits = 0; waits < kWaits; ++waits) {
    EXPECT_EQ(ended.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
    ASSERT_TRUE(sink->give());
  }
  ASSERT_EQ(ended.wait_for(kLong), std::future_status::ready);
  EXPECT_EQ(ended.get(), nullptr);
}

TEST_F(CompletionTest, EndsWhereItIsStoppedWhileItWaits) {
  for (int waits = 0; waits < kWaits; ++waits) {
    execution::Cancellation cancellation;
    const auto sink = std::make_shared<WaitingSink>();
    auto ended = complete(sink, cancellation);
    for (int i = 0; i < waits; ++i) ASSERT_TRUE(sink->give());
    cancellation.cancel();
    run_->stop();
    ASSERT_EQ(ended.wait_for(kLong), std::future_status::ready);
    EXPECT_NE(ended.get(), nullptr);
  }
}

TEST_F(PipelineTest, CompletesASinkPieceByPiece) {
  for (const int64_t failing : {-1, 40, -1}) {
    Pipeline pipeline;
    add_feed(pipeline, 20);
    pipeline.interruptions = failing < 0 ? 9 : 0;
    const auto sink = std::make_shared<FinishTaskSink>(failing);
    pipeline.sink = sink;
    pipeline.sink_metrics = &metrics_[2];
    std::promise<std::exception_ptr> ended;
    const auto run = std::make_shared<PipelineRun>(std::move(pipeline), cancellation_,
                                                   [&](std::exception_ptr error) { ended.set_value(error); });
    run->start(scheduler_, 4);
    const std::exception_ptr error = ended.get_future().get();
    EXPECT_EQ(error != nullptr, failing >= 0);
    EXPECT_EQ(sink->times_done(2), 0);
    if (error) {
      EXPECT_THROW(std::rethrow_exception(error), Error);
    } else {
      EXPECT_EQ(sink->times_done(1), 100);
    }
  }
}

/// Two morsels: the first waits for an event when it has begun, and fails then; the second fails once the first has
/// begun.
class WaitingSource final : public operators::Source {
 public:
  std::string_view name() const override { return "Waiting"; }
  std::unique_ptr<operators::State> make_state() override { return std::make_unique<Place>(taken_++); }
  int64_t num_morsels() const override { return 2; }

  Step next(operators::State& state, Batch& out) override {
    auto& place = static_cast<Place&>(state);
    out = Batch();
    out.morsel = place.morsel;
    if (place.morsel == 1) {
      if (!begun_->fired()) return Step::suspended(begun_);
      has_failed.set_value();
      throw Error(ErrorKind::User, "the second");
    }
    ++num_calls;
    begun_->fire();
    if (!std::exchange(place.has_begun, true)) return Step::has_output();
    if (!event->fired()) return Step::suspended(event);
    throw Error(ErrorKind::User, "the first");
  }

  const execution::EventPtr event = std::make_shared<execution::Event>();
  std::promise<void> has_failed;
  std::atomic<int> num_calls = 0;

 private:
  struct Place final : operators::State {
    explicit Place(int64_t of_worker) : morsel(of_worker) {}
    const int64_t morsel;
    bool has_begun = false;
  };
  std::atomic<int64_t> taken_ = 0;
  const execution::EventPtr begun_ = std::make_shared<execution::Event>();
};

/// Lets a scheduler's threads turn to what waits.
void take_turns(Scheduler& scheduler) {
  class Turn final : public Task {
   public:
    bool run_slice() override {
      taken.set_value();
      return false;
    }
    std::promise<void> taken;
  };
  for (int i = 0; i < 50; ++i) {
    const auto turn = std::make_shared<Turn>();
    scheduler.submit(turn);
    turn->taken.get_future().wait();
  }
}

TEST_F(PipelineTest, WaitsForAMorselThatHasBegunThoughALaterOneFailed) {
  Pipeline pipeline;
  PipelineFeed& feed = pipeline.feeds.emplace_back();
  auto owned = std::make_unique<WaitingSource>();
  WaitingSource& source = *owned;
  feed.source = std::move(owned);
  feed.source_metrics = &metrics_[0];
  pipeline.sink = std::make_shared<NotingSink>();
  pipeline.sink_metrics = &metrics_[2];
  std::promise<std::exception_ptr> ended;
  const auto run = std::make_shared<PipelineRun>(std::move(pipeline), cancellation_,
                                                 [&](std::exception_ptr error) { ended.set_value(error); });
  run->start(scheduler_, 2);
  source.has_failed.get_future().wait();
  take_turns(scheduler_);
  // It begins, waits, and looks once more when the other has failed, but not again and again.
  EXPECT_LE(source.num_calls, 3);
  const execution::EventPtr event = source.event;
  event->fire();
  try {
    std::rethrow_exception(ended.get_future().get());
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "the first");
  }
}

/// Takes its time to finish.
class SlowSink final : public operators::Sink {
 public:
  std::string_view name() const override { return "Slow"; }
  std::unique_ptr<operators::State> make_state() override { return std::make_unique<operators::State>(); }
  Step consume(operators::State&, Batch&) override { return Step::needs_input(); }
  Step combine(operators::State&) override { return Step::finished(); }
  Step finish() override { return Step::finished(); }
  int64_t num_finish_tasks() const override { return 3; }
  Step run_finish_task(int64_t) override {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(2);
    while (std::chrono::steady_clock::now() < end) {
    }
    return Step::finished();
  }
};

TEST_F(PipelineTest, CountsTheTimeOfFinishTasks) {
  Pipeline pipeline;
  add_feed(pipeline, 1);
  pipeline.sink = std::make_shared<SlowSink>();
  pipeline.sink_metrics = &metrics_[2];
  std::promise<void> ended;
  const auto run =
      std::make_shared<PipelineRun>(std::move(pipeline), cancellation_, [&](std::exception_ptr) { ended.set_value(); });
  run->start(scheduler_, 2);
  ended.get_future().wait();
  EXPECT_GT(metrics_[2].longest_step_nanos, 0);
  EXPECT_LT(metrics_[2].longest_step_nanos, metrics_[2].cpu_nanos);
  EXPECT_GT(metrics_[0].longest_step_nanos, 0);
}

TEST_F(PipelineTest, LetsOthersRunWhileOneConsumerStands) {
  start(500);
  auto queue = std::make_shared<operators::OutputQueue>(1 << 20);
  std::promise<void> other_done;
  Pipeline other;
  execution::Metrics metrics;
  PipelineFeed& feed = other.feeds.emplace_back();
  feed.source = std::make_unique<PlaceSource>(100);
  feed.source_metrics = &metrics;
  other.sink = std::make_shared<operators::ResultSink>(
      queue, execution::OperatorContext{columns::test::unlimited(), &cancellation_, &metrics, 0, 1});
  other.sink_metrics = &metrics;
  auto run = std::make_shared<PipelineRun>(std::move(other), cancellation_,
                                           [&](std::exception_ptr) { other_done.set_value(); });
  run->start(scheduler_, 4);
  EXPECT_EQ(other_done.get_future().wait_for(kLong), std::future_status::ready);
  cancellation_.cancel();
  run_->stop();
  done_.get_future().wait();
}

}  // namespace
}  // namespace accelerant::runtime
