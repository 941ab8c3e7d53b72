#include "execution/context.h"

#include "base/error.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace accelerant::execution {
namespace {

TEST(Cancellation, IsSeenOnceItIsSet) {
  Cancellation cancellation;
  EXPECT_FALSE(cancellation.is_cancelled());
  EXPECT_NO_THROW(cancellation.check());
  std::jthread([&] { cancellation.cancel(); }).join();
  EXPECT_TRUE(cancellation.is_cancelled());
  cancellation.cancel();
  try {
    cancellation.check();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Cancelled);
  }
}

TEST(Metrics, AddUpRowsAndBatchesOfAllWorkers) {
  Metrics metrics;
  {
    std::vector<std::jthread> workers;
    for (int i = 0; i < 4; ++i) {
      workers.emplace_back([&] {
        for (int64_t rows = 0; rows < 1000; ++rows) metrics.count_output(rows);
      });
    }
  }
  EXPECT_EQ(metrics.output_rows, 4 * 999 * 500);
  EXPECT_EQ(metrics.output_batches, 4000);
}

TEST(Metrics, KeepTheLongestStretchOfAllWorkers) {
  Metrics metrics;
  {
    std::vector<std::jthread> workers;
    for (int64_t i = 0; i < 4; ++i) {
      workers.emplace_back([&metrics, i] {
        for (int64_t nanos = 0; nanos < 1000; ++nanos) metrics.count_stretch(nanos * 4 + i);
      });
    }
  }
  EXPECT_EQ(metrics.longest_step_nanos, 3999);
  metrics.count_stretch(7);
  EXPECT_EQ(metrics.longest_step_nanos, 3999);
}

}  // namespace
}  // namespace accelerant::execution
