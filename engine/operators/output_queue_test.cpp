#include "operators/output_queue.h"

#include "base/error.h"
#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <thread>

namespace accelerant::operators {
namespace {

using columns::Batch;
using Pop = OutputQueue::Pop;

constexpr std::chrono::milliseconds kNow(0);
constexpr std::chrono::seconds kLong(60);

Batch batch_of(int64_t morsel, int64_t value, bool ends_morsel = true) {
  Batch batch;
  batch.morsel = morsel;
  batch.num_rows = 1;
  batch.columns = {columns::test::make_longs({value})};
  batch.ends_morsel = ends_morsel;
  return batch;
}

int64_t value_of(const Batch& batch) { return batch.columns[0]->values<int64_t>()[0]; }

TEST(OutputQueue, GivesMorselsOutInOrder) {
  OutputQueue queue(1 << 20);
  Batch late = batch_of(1, 11);
  EXPECT_EQ(queue.push(late), nullptr);
  Batch out;
  EXPECT_EQ(queue.pop(out, kNow), Pop::TimedOut);
  Batch first = batch_of(0, 0, false);
  Batch second = batch_of(0, 1, true);
  EXPECT_EQ(queue.push(first), nullptr);
  EXPECT_EQ(queue.push(second), nullptr);
  queue.close(nullptr);
  for (int64_t expected : {0, 1, 11}) {
    ASSERT_EQ(queue.pop(out, kLong), Pop::Batch);
    EXPECT_EQ(value_of(out), expected);
  }
  EXPECT_EQ(queue.pop(out, kLong), Pop::End);
  EXPECT_EQ(queue.held_bytes(), 0);
}

TEST(OutputQueue, AsksProducersToWaitButNeverTheOneTheConsumerWaitsFor) {
  OutputQueue queue(1);
  Batch later = batch_of(1, 1);
  const auto full = queue.push(later);
  ASSERT_NE(full, nullptr) << "a later morsel must not fill the queue";
  Batch next = batch_of(0, 0);
  EXPECT_EQ(queue.push(next), nullptr);
  EXPECT_FALSE(full->fired());
  Batch out;
  ASSERT_EQ(queue.pop(out, kLong), Pop::Batch);
  EXPECT_TRUE(full->fired());
  EXPECT_EQ(queue.push(later), nullptr);
  ASSERT_EQ(queue.pop(out, kLong), Pop::Batch);
  EXPECT_EQ(value_of(out), 1);
}

TEST(OutputQueue, SkipsMorselsWithoutRows) {
  OutputQueue queue(1 << 20);
  Batch empty;
  empty.ends_morsel = true;
  EXPECT_EQ(queue.push(empty), nullptr);
  Batch next = batch_of(1, 5);
  EXPECT_EQ(queue.push(next), nullptr);
  Batch out;
  ASSERT_EQ(queue.pop(out, kLong), Pop::Batch);
  EXPECT_EQ(value_of(out), 5);
}

TEST(OutputQueue, GivesOutWhatComesBeforeAnErrorUnlessItIsDiscarded) {
  for (const bool discarded : {false, true}) {
    OutputQueue queue(1 << 20);
    Batch first = batch_of(0, 0);
    Batch after_the_error = batch_of(2, 2);
    EXPECT_EQ(queue.push(after_the_error), nullptr);
    EXPECT_EQ(queue.push(first), nullptr);
    const auto error = std::make_exception_ptr(Error(ErrorKind::User, "bad row"));
    discarded ? queue.discard(error) : queue.close(error);
    Batch out;
    EXPECT_TRUE(discarded || queue.pop(out, kLong) == Pop::Batch);
    EXPECT_THROW(queue.pop(out, kLong), Error);
  }
}

TEST(OutputQueue, WakesTheConsumerAndPassesErrorsOn) {
  OutputQueue queue(1 << 20);
  std::thread producer([&] { queue.close(std::make_exception_ptr(Error(ErrorKind::User, "bad row"))); });
  Batch out;
  EXPECT_THROW(queue.pop(out, kLong), Error);
  producer.join();
  Batch ignored = batch_of(0, 0);
  EXPECT_EQ(queue.push(ignored), nullptr) << "a closed queue swallows what comes";
}

}  // namespace
TEST(OutputQueue, LetsAConsumerGoThatHasSomethingElseToDo) {
  OutputQueue queue(1 << 20);
  Batch batch;
  EXPECT_FALSE(queue.is_ready());
  std::thread other([&] { queue.wake(); });
  EXPECT_EQ(queue.pop(batch, std::chrono::seconds(60)), OutputQueue::Pop::TimedOut);
  other.join();
  queue.wake();
  EXPECT_TRUE(queue.is_ready());
  EXPECT_EQ(queue.pop(batch, std::chrono::seconds(60)), OutputQueue::Pop::TimedOut);
  EXPECT_EQ(queue.pop(batch, std::chrono::milliseconds(1)), OutputQueue::Pop::TimedOut);
}

}  // namespace accelerant::operators
