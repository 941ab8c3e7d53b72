#include "operators/buffered_rows.h"

#include <gtest/gtest.h>

#include <vector>

namespace accelerant::operators {

namespace {

using Place = BufferedRows::Place;

BufferedRows rows_of(std::vector<std::vector<bool>> continues_tie) {
  BufferedRows rows;
  for (const auto& of_batch : continues_tie) {
    rows.batches.emplace_back().num_rows = static_cast<int64_t>(of_batch.size());
  }
  rows.continues_tie = std::move(continues_tie);
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
  BufferedRows rows = rows_of({{false, false, false}, {false, false, false}, {false}});
  rows.continues_tie.clear();
  EXPECT_EQ(rows.part_begin(0, 2), (Place{0, 0}));
  EXPECT_EQ(rows.part_begin(1, 2), (Place{1, 0}));
  EXPECT_EQ(rows.part_begin(2, 2), (Place{3, 0}));
  EXPECT_EQ(lengths(rows, 2), (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(lengths(rows, 4), (std::vector<int64_t>{1, 2, 2, 2}));
  EXPECT_EQ(lengths(rows, 9), (std::vector<int64_t>{0, 1, 1, 1, 0, 1, 1, 1, 1}));
}

TEST(BufferedRows, CutPartsWhereKeysChange) {
  const BufferedRows rows = rows_of({{false, true, true}, {true, false, true}, {true, true, false}});
  EXPECT_EQ(rows.part_begin(1, 3), (Place{1, 1}));
  EXPECT_EQ(rows.part_begin(2, 3), (Place{2, 2}));
  EXPECT_EQ(lengths(rows, 3), (std::vector<int64_t>{4, 4, 1}));
  EXPECT_EQ(lengths(rows, 9), (std::vector<int64_t>{4, 0, 0, 0, 4, 0, 0, 0, 1}));
}

TEST(BufferedRows, GiveAllTiesToOnePart) {
  const BufferedRows rows = rows_of({{false, true}, {true, true}});
  EXPECT_EQ(lengths(rows, 2), (std::vector<int64_t>{4, 0}));
  EXPECT_EQ(lengths(rows_of({}), 2), (std::vector<int64_t>{0, 0}));
}

}  // namespace accelerant::operators
