#include "operators/buffered_rows.h"

#include <gtest/gtest.h>

#include <vector>

namespace accelerant::operators {

namespace {

BufferedRows rows_of(const std::vector<int64_t>& batches) {
  BufferedRows rows;
  for (const int64_t num_rows : batches) rows.batches.emplace_back().num_rows = num_rows;
  return rows;
}

/// Returns how many rows each part emits.
std::vector<int64_t> lengths(const BufferedRows& rows, int count) {
  std::vector<int64_t> lengths;
  for (int part = 0; part < count; ++part) {
    BufferedRowsSource source(std::make_shared<BufferedRows>(rows), part, count);
    const auto state = source.make_state();
    int64_t num_batches = 0;
    lengths.push_back(0);
    columns::Batch batch;
    while (source.next(*state, batch).kind == Step::Kind::HasOutput) {
      EXPECT_EQ(batch.morsel, num_batches++);
      EXPECT_GT(batch.num_rows, 0);
      lengths.back() += batch.num_rows;
    }
    EXPECT_EQ(source.num_morsels(), num_batches);
  }
  return lengths;
}

}  // namespace

TEST(BufferedRows, CutPartsAtAnyRow) {
  const BufferedRows rows = rows_of({3, 3, 1});
  EXPECT_EQ(part_begin(rows.batches, 0, 2), (PiecePlace{0, 0}));
  EXPECT_EQ(part_begin(rows.batches, 1, 2), (PiecePlace{1, 0}));
  EXPECT_EQ(part_begin(rows.batches, 2, 2), (PiecePlace{3, 0}));
  EXPECT_EQ(lengths(rows, 2), (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(lengths(rows, 4), (std::vector<int64_t>{1, 2, 2, 2}));
  EXPECT_EQ(lengths(rows, 9), (std::vector<int64_t>{0, 1, 1, 1, 0, 1, 1, 1, 1}));
}

TEST(BufferedRows, CutNothing) { EXPECT_EQ(lengths(rows_of({}), 2), (std::vector<int64_t>{0, 0})); }

}  // namespace accelerant::operators
