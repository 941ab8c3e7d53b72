#include "io/csv_values.h"

#include "columns/test_columns.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace accelerant::io {

namespace {

/// Says of texts which are odd as values of a type.
std::vector<uint8_t> odd(types::TypeId type, const std::vector<std::string_view>& texts) {
  std::vector<types::StringRef> tokens;
  for (const std::string_view text : texts) tokens.push_back({text.data(), static_cast<int32_t>(text.size())});
  std::vector<uint8_t> is_odd(tokens.size());
  const CsvValues values{tokens, nullptr, nullptr};
  read_csv_values(types::DataType(type), values, is_odd, columns::test::unlimited());
  return is_odd;
}

TEST(CsvValues, TakesBytesOfTextsThatAnyEncodingHas) {
  EXPECT_EQ(odd(types::TypeId::Binary, {"a", "\xc3\xbc", ""}), (std::vector<uint8_t>{0, 1, 0}));
  EXPECT_EQ(odd(types::TypeId::String, {"a", "\xc3\xbc", ""}), (std::vector<uint8_t>{0, 0, 0}));
}

}  // namespace

}  // namespace accelerant::io
