#include "operators/code_counts.h"

#include "columns/test_columns.h"

#include <gtest/gtest.h>

namespace accelerant::operators {
namespace {

using columns::test::make_dictionary;
using columns::test::make_longs;

std::vector<int64_t> counts(CodeCounts& codes, const columns::Column& column) {
  const auto found = codes.of(column);
  return {found.begin(), found.end()};
}

TEST(CodeCounts, CountsRowsThatAreNotNull) {
  CodeCounts codes;
  const auto column =
      make_dictionary(make_longs({5, 6, 7}), {2, 0, 2, std::nullopt, 2, 0, std::nullopt, 2, 2, 2, 2, 2});
  codes.start_batch();
  EXPECT_EQ(counts(codes, *column), (std::vector<int64_t>{2, 0, 8}));
  EXPECT_EQ(counts(codes, *column), (std::vector<int64_t>{2, 0, 8}));
  const auto other = make_dictionary(make_longs({5, 6}), {1, 0, 1, 1, 1, 1, 1, 1});
  EXPECT_EQ(counts(codes, *other), (std::vector<int64_t>{1, 7}));
}

TEST(CodeCounts, LeavesLargeDictionariesAlone) {
  CodeCounts codes;
  codes.start_batch();
  EXPECT_TRUE(codes.of(*make_dictionary(make_longs({5, 6, 7}), {2, 0, 2})).empty());
}

}  // namespace
}  // namespace accelerant::operators
