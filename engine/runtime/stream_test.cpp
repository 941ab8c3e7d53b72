#include "runtime/stream.h"

#include "base/error.h"
#include "runtime/test_queries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace accelerant::runtime {
namespace {

using operators::OutputQueue;
using test::Numbers;

constexpr int64_t kEndless = int64_t{1} << 50;

std::shared_ptr<Stream> first_of(const std::vector<uint8_t>& message) { return test::open(message)->open_stream(0, 1); }

/// Reads until the stream fails, and returns the kind of what it failed with.
ErrorKind failure_of(Stream& stream) {
  try {
    test::read(stream);
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "the stream did not fail";
  return ErrorKind::Internal;
}

TEST(Stream, GivesUpWaitingInTimeOrWhenItIsWoken) {
  const auto query = test::open(Numbers(kEndless).grouped());
  const auto stream = query->open_stream(0, 1);
  columns::Batch batch;
  EXPECT_EQ(stream->next(batch, std::chrono::milliseconds(1)), OutputQueue::Pop::TimedOut);
  std::thread waking([&] { stream->wake(); });
  EXPECT_EQ(stream->next(batch, test::kPatience), OutputQueue::Pop::TimedOut);
  waking.join();
  query->cancel();
}

TEST(Stream, GivesEachPartOfTheRowsInOrder) {
  const auto query = test::open(Numbers(30'000).all());
  ASSERT_EQ(query->partitions(1), 1);
  const auto stream = query->open_stream(0, 1);
  const std::vector<int64_t> rows = test::read(*stream);
  EXPECT_EQ(rows.size(), 30'000);
  EXPECT_TRUE(std::ranges::is_sorted(rows));
  columns::Batch batch;
  EXPECT_EQ(stream->next(batch, test::kPatience), OutputQueue::Pop::End);
}

TEST(Stream, LivesThoughItsQueryIsLetGoOf) {
  const auto stream = first_of(Numbers(1000).grouped());
  EXPECT_EQ(test::read(*stream).size(), 1000);
}

TEST(Stream, FailsWithWhatTheStagesBeforeItMet) {
  EXPECT_EQ(failure_of(*first_of(Numbers(1000).failing_groups())), ErrorKind::User);
}

TEST(Stream, GivesRowsBeforeTheOneThatFails) {
  RunOptions options;
  options.batch_rows = 1;
  const auto stream = test::open(Numbers(1000).failing(), options)->open_stream(0, 1);
  columns::Batch batch;
  EXPECT_EQ(stream->next(batch, test::kPatience), OutputQueue::Pop::Batch);
  EXPECT_EQ(failure_of(*stream), ErrorKind::User);
}

TEST(Stream, FailsWhenItIsCancelledBeforeItsLastStageStarts) {
  const auto stream = first_of(Numbers(kEndless).grouped());
  stream->cancel();
  EXPECT_EQ(failure_of(*stream), ErrorKind::Cancelled);
}

TEST(Stream, EndsForWhoClosesIt) {
  for (const auto& message : {Numbers(kEndless).all(), Numbers(kEndless).grouped()}) {
    const auto stream = first_of(message);
    stream->close();
    stream->close();
    columns::Batch batch;
    try {
      while (stream->next(batch, test::kPatience) == OutputQueue::Pop::Batch) {
      }
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Cancelled);
    }
  }
}

}  // namespace
}  // namespace accelerant::runtime
