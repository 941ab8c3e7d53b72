#include "columns/gather_parts.h"

#include "columns/gather.h"
#include "columns/test_columns.h"
#include "types/integers.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace accelerant::columns {
namespace {

using test::show;
using test::unlimited;
using types::PhysicalType;

constexpr int kRows = 33;
constexpr int kFirstRows = 10;

/// Returns the values of rows of two parts, the first of which has `kFirstRows` rows.
std::vector<std::string> pick(const std::vector<std::string>& all, const std::vector<PartRow>& rows) {
  std::vector<std::string> picked;
  for (const PartRow& row : rows) picked.push_back(all[static_cast<size_t>(row.part * kFirstRows + row.row)]);
  return picked;
}

TEST(GatherParts, TakesRowsOfAllTypesInOrder) {
  const std::vector<PartRow> rows = {{1, 22}, {0, 0}, {0, 0}, {1, 5}, {0, 9}, {1, 0}, {1, 1}, {0, 3}, {0, 4}};
  for (const auto& sample : test::samples(kRows)) {
    SCOPED_TRACE(sample.name);
    const ColumnPtr flat = flatten(sample.column, unlimited());
    const std::vector<ColumnPtr> parts = {flat->slice(0, kFirstRows), flat->slice(kFirstRows, kRows - kFirstRows)};
    EXPECT_EQ(show(*gather_parts(parts, rows, unlimited())), pick(show(*flat), rows));
    EXPECT_EQ(gather_parts(parts, {}, unlimited())->length(), 0);
  }
}

TEST(GatherParts, SharesTheHeapsOfAllParts) {
  const ColumnPtr few = test::make_strings({"a long string to keep", "short"});
  const ColumnPtr others = test::make_strings({"another one, long too", std::nullopt});
  const std::vector<ColumnPtr> parts = {few, others};
  const std::vector<PartRow> rows = {{1, 0}, {0, 1}, {1, 1}, {0, 0}};
  const ColumnPtr taken = gather_parts(parts, rows, unlimited());
  EXPECT_EQ(show(*taken),
            (std::vector<std::string>{"another one, long too", "short", "null", "a long string to keep"}));
  std::vector<memory::BufferPtr> heaps = few->heap();
  heaps.insert(heaps.end(), others->heap().begin(), others->heap().end());
  EXPECT_EQ(taken->heap(), heaps);
}

TEST(GatherParts, MixesWidthsOfDecimals) {
  const types::DataType type = types::DataType::decimal(20, 2);
  const ColumnPtr narrow = test::make_flat<int64_t>(type, {100, std::nullopt}, PhysicalType::Int64);
  const ColumnPtr wide = test::make_flat<int128>(type, {int128{200}}, PhysicalType::Int128);
  const std::vector<ColumnPtr> parts = {narrow, wide};
  const std::vector<PartRow> rows = {{1, 0}, {0, 1}, {0, 0}};
  const ColumnPtr taken = gather_parts(parts, rows, unlimited());
  EXPECT_EQ(taken->physical(), PhysicalType::Int128);
  EXPECT_EQ(show(*taken), (std::vector<std::string>{"200", "null", "100"}));
}

}  // namespace
}  // namespace accelerant::columns
