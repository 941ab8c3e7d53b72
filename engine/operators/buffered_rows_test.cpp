#include "operators/buffered_rows.h"

#include <gtest/gtest.h>

namespace accelerant::operators {
namespace {

TEST(BufferedRows, CutsPartsWhereKeysChange) {
  BufferedRows rows;
  rows.batches.resize(8);
  EXPECT_EQ(rows.part_begin(1, 2), 4u);
  rows.continues_tie = {false, true, true, false, true, true, false, true};
  EXPECT_EQ(rows.part_begin(0, 4), 0u);
  EXPECT_EQ(rows.part_begin(1, 4), 3u);
  EXPECT_EQ(rows.part_begin(2, 4), 6u);
  EXPECT_EQ(rows.part_begin(3, 4), 6u);
  EXPECT_EQ(rows.part_begin(4, 4), 8u);
}

TEST(BufferedRows, GiveAllTiesToOnePart) {
  BufferedRows rows;
  rows.batches.resize(3);
  rows.continues_tie = {false, true, true};
  EXPECT_EQ(rows.part_begin(1, 3), 3u);
  EXPECT_EQ(rows.part_begin(2, 3), 3u);
}

}  // namespace
}  // namespace accelerant::operators
