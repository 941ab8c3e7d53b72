#include "io/file_pruning.h"

#include "columns/test_columns.h"

#include <gtest/gtest.h>

namespace accelerant::io {
namespace {

using expressions::ProgramBuilder;
using types::DataType;
using types::TypeId;

/// `column IN (values)` over a bigint column.
std::shared_ptr<const expressions::Program> is_among(int column, std::vector<std::optional<int64_t>> values) {
  ProgramBuilder builder;
  const auto input = builder.input(column, DataType(TypeId::Long), true);
  const auto condition = builder.in_list(input, columns::test::make_longs(values));
  return std::move(builder).finish({&condition, 1});
}

/// A file column, and a partition column.
ScanSpec spec() {
  ScanSpec spec;
  spec.columns = {{"a", DataType(TypeId::Long), true, -1}, {"day", DataType(TypeId::Long), true, 0}};
  return spec;
}

FileSplit split(std::optional<int64_t> day) {
  FileSplit split;
  split.partition_values = {columns::test::make_longs({day})};
  return split;
}

execution::OperatorContext context() { return {columns::test::unlimited(), nullptr, nullptr, 3, 1024}; }

TEST(FilePruning, AsksFiltersOfPartitionColumns) {
  ScanSpec filtered = spec();
  filtered.filters = {is_among(0, {1}), is_among(1, {7, 8})};
  FilePruning pruning(filtered, context());
  EXPECT_TRUE(pruning.keeps(split(7)));
  EXPECT_FALSE(pruning.keeps(split(1)));
  EXPECT_FALSE(pruning.keeps(split(std::nullopt)));
}

TEST(FilePruning, AsksRuntimeFilters) {
  const ScanSpec unfiltered = spec();
  auto ctx = context();
  EXPECT_TRUE(FilePruning(unfiltered, ctx).keeps(split(1)));
  ctx.runtime_filters = {is_among(1, {std::nullopt, 2}), is_among(0, {5})};
  FilePruning pruning(unfiltered, ctx);
  EXPECT_TRUE(pruning.keeps(split(2)));
  EXPECT_FALSE(pruning.keeps(split(1)));
  EXPECT_FALSE(pruning.keeps(split(std::nullopt)));
}

TEST(FilePruning, LeavesOutAllForAnEmptyBuildSide) {
  const ScanSpec unfiltered = spec();
  auto ctx = context();
  ctx.runtime_filters = {is_among(1, {std::nullopt})};
  EXPECT_FALSE(FilePruning(unfiltered, ctx).keeps(split(2)));
}

}  // namespace
}  // namespace accelerant::io
