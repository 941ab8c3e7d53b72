#include "operators/sorted_chunks.h"

#include "operators/test_breakers.h"

#include <gtest/gtest.h>

namespace accelerant::operators {
namespace {

using columns::Batch;
using columns::test::make_longs;
using test::batch_of;
using test::insist;

TEST(SortedChunks, PutRowsOfAKeyTogetherAndKeepTheirOrder) {
  const execution::Cancellation never;
  execution::Metrics metrics;
  const execution::OperatorContext ctx{columns::test::unlimited(), &never, &metrics, 3, 2};
  SortedChunks chunks({{.column = 0}}, 1, ctx);
  Batch out;
  chunks.sort();
  EXPECT_FALSE(chunks.take(out));
  const auto add = [&](const Batch& batch) { insist([&] { chunks.add(batch); }); };
  for (int chunk = 0; chunk < 2; ++chunk) {
    EXPECT_FALSE(chunks.is_full());
    add(batch_of(0, make_longs({2, 1, 2}), 10));
    EXPECT_TRUE(chunks.is_full());
    add(batch_of(1, make_longs({1, 2}), 13));
    insist([&] { chunks.sort(); });
    std::string rows;
    while (insist([&] { return chunks.take(out); })) {
      EXPECT_LE(out.num_rows, 2);
      for (const std::string& row : columns::test::show(*out.columns[1])) rows += row + " ";
    }
    EXPECT_EQ(rows, "11 13 10 12 14 ");
  }
}

TEST(SortedChunks, AreFullUntilTheyAreSortedToTheEnd) {
  const execution::Cancellation never;
  execution::Metrics metrics;
  const execution::OperatorContext ctx{columns::test::unlimited(), &never, &metrics, 3, 100};
  SortedChunks chunks({{.column = 0}}, int64_t{1} << 30, ctx);
  chunks.add(batch_of(0, make_longs({2, 1}), 0));
  bool was_full = false;
  bool is_sorted = false;
  for (int reservation = 0; !is_sorted; ++reservation) {
    try {
      const memory::ReservationProbe probe(reservation, nullptr);
      chunks.sort();
      is_sorted = true;
    } catch (const memory::MemoryWait&) {
      Batch none;
      EXPECT_FALSE(chunks.take(none));
      EXPECT_TRUE(chunks.is_full() || !was_full);
      was_full = chunks.is_full();
    }
  }
  EXPECT_TRUE(was_full);
  EXPECT_FALSE(chunks.is_full());
  Batch out;
  ASSERT_TRUE(chunks.take(out));
  EXPECT_EQ(columns::test::show(*out.columns[1]), (std::vector<std::string>{"1", "0"}));
}

}  // namespace
}  // namespace accelerant::operators
