#include "io/row_group_fields.h"

#include <gtest/gtest.h>

namespace accelerant::io {
namespace {

/// A footer of three row groups, of which the second says its size, 0, and the third that it has 7 rows.
const std::vector<uint8_t> kFooter = {0x15, 0x02,                    // version: 1
                                      0x39, 0x3c,                    // row_groups: 3 structs
                                      0x00,                          // nothing
                                      0x19, 0x0c, 0x56, 0x00, 0x00,  // columns: none; total_compressed_size: 0
                                      0x36, 0x0e, 0x00,              // num_rows: 7
                                      0x00};

TEST(RowGroupFields, SayWhichRowGroupsSayTheirSize) {
  EXPECT_EQ(sized_row_groups(kFooter), (std::vector<bool>{false, true, false}));
  EXPECT_EQ(sized_row_groups(std::vector<uint8_t>{0x00}), std::vector<bool>{});
}

TEST(RowGroupFields, EndWhereTheFooterIsCut) {
  EXPECT_EQ(sized_row_groups(std::span(kFooter).first(4)).size(), 0);
  EXPECT_EQ(sized_row_groups(std::span(kFooter).first(5)).size(), 1);
  EXPECT_EQ(sized_row_groups(std::span(kFooter).first(9)).size(), 1);
  EXPECT_EQ(sized_row_groups(std::span(kFooter).first(10)).size(), 2);
  EXPECT_EQ(sized_row_groups(std::span(kFooter).first(12)).size(), 2);
}

TEST(RowGroupFields, AreNoneOfOtherLists) {
  EXPECT_EQ(sized_row_groups(std::vector<uint8_t>{0x49, 0x15, 0x02, 0x00}), std::vector<bool>{});
}

}  // namespace
}  // namespace accelerant::io
