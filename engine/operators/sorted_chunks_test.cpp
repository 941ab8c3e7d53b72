#include "operators/sorted_chunks.h"

#include "operators/test_breakers.h"

#include <gtest/gtest.h>

namespace accelerant::operators {
namespace {

using columns::Batch;
using columns::test::make_longs;
using test::batch_of;

TEST(SortedChunks, PutRowsOfAKeyTogetherAndKeepTheirOrder) {
  const execution::Cancellation never;
  execution::Metrics metrics;
  const execution::OperatorContext ctx{columns::test::unlimited(), &never, &metrics, 3, 2};
  SortedChunks chunks({{.column = 0}}, 1, ctx);
  Batch out;
  chunks.sort();
  EXPECT_FALSE(chunks.take(out));
  for (int chunk = 0; chunk < 2; ++chunk) {
    EXPECT_FALSE(chunks.is_full());
    chunks.add(batch_of(0, make_longs({2, 1, 2}), 10));
    EXPECT_TRUE(chunks.is_full());
    chunks.add(batch_of(1, make_longs({1, 2}), 13));
    chunks.sort();
    std::string rows;
    while (chunks.take(out)) {
      EXPECT_LE(out.num_rows, 2);
      for (const std::string& row : columns::test::show(*out.columns[1])) rows += row + " ";
    }
    EXPECT_EQ(rows, "11 13 10 12 14 ");
  }
}

}  // namespace
}  // namespace accelerant::operators
