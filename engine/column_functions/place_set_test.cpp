#include "column_functions/place_set.h"

#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace accelerant::column_functions {
namespace {

namespace test = columns::test;

/// Returns what adding each row to a set of up to `most` values says.
std::vector<bool> added(const columns::Column& column, int64_t most) {
  std::vector<bool> results;
  with_set(column, test::unlimited(), [&](auto& set) {
    set.start(most);
    for (int64_t row = 0; row < column.length(); ++row) results.push_back(set.add(row));
  });
  return results;
}

class PlaceSets : public testing::TestWithParam<int64_t> {};

TEST_P(PlaceSets, TakeEachValueOnce) {
  const auto longs = test::make_longs({1, std::nullopt, 2, 1, std::nullopt, 3, 2});
  const std::vector<bool> expected = {true, true, true, false, false, true, false};
  EXPECT_EQ(added(*longs, GetParam()), expected);
}

TEST_P(PlaceSets, CompareStrings) {
  const auto texts = test::make_strings({"a", "a text of many bytes", "b", "a text of many bytes", "a"});
  EXPECT_EQ(added(*texts, GetParam()), (std::vector<bool>{true, true, true, false, false}));
}

TEST_P(PlaceSets, CompareArrays) {
  const auto arrays = test::make_array(test::make_longs({1, 2, 1, 1, 2, std::nullopt, std::nullopt}), {2, 1, 2, 1, 1});
  EXPECT_EQ(added(*arrays, GetParam()), (std::vector<bool>{true, true, false, true, false}));
}

TEST_P(PlaceSets, LookIntoDictionaries) {
  const auto dictionary = test::make_longs({7, 7, 8});
  const auto column = test::make_dictionary(dictionary, {2, 0, 1, std::nullopt, 2});
  EXPECT_EQ(added(*column, GetParam()), (std::vector<bool>{true, true, false, true, false}));
}

TEST_P(PlaceSets, RemoveAValueOnce) {
  const auto longs = test::make_longs({5, std::nullopt, 5, 6, std::nullopt});
  with_set(*longs, test::unlimited(), [&](auto& set) {
    set.start(GetParam());
    set.add(0);
    set.add(1);
    EXPECT_TRUE(set.remove(2));
    EXPECT_FALSE(set.remove(0));
    EXPECT_FALSE(set.remove(3));
    EXPECT_TRUE(set.remove(4));
    EXPECT_FALSE(set.has_null());
  });
}

TEST_P(PlaceSets, StartAnew) {
  const auto longs = test::make_longs({5, std::nullopt});
  with_set(*longs, test::unlimited(), [&](auto& set) {
    for (int repetition = 0; repetition < 2; ++repetition) {
      set.start(GetParam());
      EXPECT_FALSE(set.has(0) || set.has_null());
      EXPECT_TRUE(set.add(0));
      EXPECT_TRUE(set.add(1));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(FewAndMany, PlaceSets, testing::Values(7, 100));

TEST(PlaceSet, HoldsManyValues) {
  std::vector<std::optional<int64_t>> values;
  for (int64_t i = 0; i < 20000; ++i) values.push_back(i % 5000 * 64);
  const std::vector<bool> results = added(*test::make_longs(values), 20000);
  for (size_t i = 0; i < results.size(); ++i) ASSERT_EQ(results[i], i < 5000) << i;
}

}  // namespace
}  // namespace accelerant::column_functions
