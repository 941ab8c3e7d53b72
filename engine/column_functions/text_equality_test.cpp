#include "column_functions/text_equality.h"

#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace accelerant::column_functions {
namespace {

namespace test = columns::test;

TEST(TextEquality, IsThatOfTheBytes) {
  const std::vector<std::optional<std::string>> texts = {"",
                                                         "a",
                                                         "b",
                                                         "abcd",
                                                         "abce",
                                                         "abcd1234",
                                                         "abcd1235",
                                                         "twelve bytes",
                                                         "twelve bytez",
                                                         "abcde",
                                                         "ab",
                                                         "abc",
                                                         "a text of many bytes",
                                                         "a text of many bytez",
                                                         "a text of more bytes",
                                                         "b text of many bytes",
                                                         "a text of many bytes, and more",
                                                         std::string("a\0", 2),
                                                         std::string(200, 'x'),
                                                         std::string(201, 'x')};
  const auto lefts = test::make_strings(texts);
  const auto rights = test::make_strings(texts)->slice(1, static_cast<int64_t>(texts.size()) - 1);
  const TextEquality equal(*lefts, *rights);
  for (size_t i = 0; i < texts.size(); ++i) {
    for (size_t j = 1; j < texts.size(); ++j) {
      EXPECT_EQ(equal(static_cast<int64_t>(i), static_cast<int64_t>(j) - 1), texts[i] == texts[j]) << i << " " << j;
    }
  }
}

}  // namespace
}  // namespace accelerant::column_functions
