#include "io/dictionary_choice.h"

#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace accelerant::io {
namespace {

constexpr int64_t kRows = 16'384;

columns::ColumnPtr longs(int64_t distinct) {
  std::vector<std::optional<int64_t>> rows;
  for (int64_t row = 0; row < kRows; ++row) rows.push_back(row % 5 == 4 ? std::nullopt : std::optional(row % distinct));
  return columns::test::make_longs(rows);
}

columns::ColumnPtr texts(int64_t distinct) {
  std::vector<std::optional<std::string>> rows;
  for (int64_t row = 0; row < kRows; ++row) rows.push_back("a text of some length, " + std::to_string(row % distinct));
  return columns::test::make_strings(rows);
}

TEST(DictionaryChoice, GoesByWhatIsSmaller) {
  EXPECT_TRUE(is_worth_a_dictionary(*longs(100), 0, kRows));
  EXPECT_TRUE(is_worth_a_dictionary(*longs(4000), 0, kRows));
  EXPECT_FALSE(is_worth_a_dictionary(*longs(16'000), 0, kRows));
  EXPECT_TRUE(is_worth_a_dictionary(*texts(8000), 0, kRows)) << "a code is far shorter than a text";
  EXPECT_FALSE(is_worth_a_dictionary(*texts(kRows), 0, kRows));
}

TEST(DictionaryChoice, LooksAtTheRowsThatAreWritten) {
  std::vector<std::optional<int64_t>> rows(kRows, 7);
  for (int64_t row = kRows / 2; row < kRows; ++row) rows[static_cast<size_t>(row)] = row;
  const auto column = columns::test::make_longs(rows);
  EXPECT_TRUE(is_worth_a_dictionary(*column, 0, kRows / 2));
  EXPECT_FALSE(is_worth_a_dictionary(*column, kRows / 2, kRows / 2));
  EXPECT_FALSE(is_worth_a_dictionary(*column->slice(kRows / 2, kRows / 2), 0, kRows / 2));
}

TEST(DictionaryChoice, IsForADictionaryWhereRowsDoNotTell) {
  EXPECT_TRUE(is_worth_a_dictionary(*longs(kRows), 0, 1000)) << "too few";
  const auto nulls = columns::Column::nulls(types::DataType(types::TypeId::Long), kRows, columns::test::unlimited());
  EXPECT_TRUE(is_worth_a_dictionary(*nulls, 0, kRows));
  std::vector<std::optional<int32_t>> codes(kRows, 1);
  EXPECT_TRUE(is_worth_a_dictionary(*columns::test::make_dictionary(longs(10), codes), 0, kRows));
}

}  // namespace
}  // namespace accelerant::io
