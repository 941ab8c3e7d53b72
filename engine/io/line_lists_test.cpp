#include "io/line_lists.h"

#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace accelerant::io {
namespace {

using columns::Batch;
using columns::ColumnPtr;
using columns::test::make_array;
using columns::test::make_longs;
using columns::test::show;
using columns::test::unlimited;

/// A scan of a constant and the second of two columns of the files.
ScanSpec spec() {
  ScanSpec spec;
  spec.columns.resize(2);
  spec.columns[1].required_index = 1;
  return spec;
}

Batch batch_of(const std::vector<std::optional<int64_t>>& values) {
  Batch batch;
  batch.num_rows = static_cast<int64_t>(values.size());
  batch.columns = {nullptr, make_longs(values)};
  return batch;
}

/// Lists of structs whose second member counts from 100 on.
Batch lists_of(const std::vector<int>& lengths) {
  int64_t total = 0;
  for (const int length : lengths) total += length;
  std::vector<std::optional<int64_t>> counts;
  for (int64_t i = 0; i < total; ++i) counts.emplace_back(100 + i);
  const types::DataType number(types::TypeId::Long);
  columns::FlatParts parts;
  parts.type = types::DataType::structure({{"a", number}, {"b", number}});
  parts.physical = types::PhysicalType::Struct;
  parts.length = total;
  parts.children = {make_longs(std::vector<std::optional<int64_t>>(counts.size())), make_longs(counts)};
  Batch lists;
  lists.num_rows = static_cast<int64_t>(lengths.size());
  lists.columns = {make_array(columns::Column::flat(std::move(parts)), lengths)};
  return lists;
}

TEST(PutLists, PutsAnyNumberOfRowsInTheirPlaces) {
  const std::vector<int32_t> places = {0, 2, 3, 5};
  const Batch out = put_lists(batch_of({{}, 1, {}, {}, 2, {}}), lists_of({1, 0, 2, 1}), places, spec(), unlimited());
  EXPECT_EQ(out.num_rows, 6);
  EXPECT_EQ(out.columns[0], nullptr);
  EXPECT_EQ(show(*out.columns[1]), std::vector<std::string>({"100", "1", "101", "102", "2", "103"}));
  EXPECT_EQ(out.selection, nullptr);
}

TEST(PutLists, KeepsRowsInError) {
  Batch lists = lists_of({1, 0, 1});
  columns::RowError error{};
  error.row = 1;
  lists.errors.push_back(error);
  const std::vector<int32_t> places = {0, 1, 2};
  const Batch out = put_lists(batch_of({{}, {}, {}, 7}), lists, places, spec(), unlimited());
  EXPECT_EQ(out.num_rows, 4);
  ASSERT_NE(out.selection, nullptr);
  EXPECT_EQ(*out.selection, std::vector<int32_t>({0, 2, 3}));
  ASSERT_EQ(out.errors.size(), 1);
  EXPECT_EQ(out.errors[0].row, 1);
  EXPECT_EQ(show(*out.columns[1], 3), "7");
}

}  // namespace
}  // namespace accelerant::io
