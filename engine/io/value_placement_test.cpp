#include "io/value_placement.h"

#include "base/bits.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace accelerant::io {
namespace {

/// Spreads values over rows of which about so many in a hundred have one, from a place of the bitmap on, and compares
/// each row.
template <class T>
void check_spread(int64_t position, int64_t num_rows, unsigned percent, std::mt19937& random) {
  std::vector<uint8_t> bitmap(static_cast<size_t>(bits::bytes_for(position + num_rows)) + 1);
  for (uint8_t& byte : bitmap) byte = static_cast<uint8_t>(random());
  std::vector<T> values, expected;
  for (int64_t row = 0; row < num_rows; ++row) {
    const bool is_valid = random() % 100 < percent;
    bits::assign(bitmap.data(), position + row, is_valid);
    expected.push_back(is_valid ? static_cast<T>(row + 1) : T{});
    if (is_valid) values.push_back(expected.back());
  }
  const auto count = static_cast<int64_t>(values.size());
  values.resize(static_cast<size_t>(num_rows), static_cast<T>(99));
  spread_width(sizeof(T), reinterpret_cast<uint8_t*>(values.data()), bitmap.data(), position, num_rows, count);
  EXPECT_EQ(values, expected) << num_rows << " rows from " << position << ", " << percent << " %";
}

TEST(ValuePlacement, SpreadsValuesOverRowsThatHaveOne) {
  std::mt19937 random(3);
  for (const int64_t num_rows : {0, 1, 7, 8, 9, 16, 63, 64, 100, 1000}) {
    for (const int64_t position : {0, 1, 7, 8, 21}) {
      for (const unsigned percent : {0, 3, 50, 97, 100}) {
        check_spread<uint8_t>(position, num_rows, percent, random);
        check_spread<uint32_t>(position, num_rows, percent, random);
        check_spread<uint64_t>(position, num_rows, percent, random);
      }
    }
  }
}

}  // namespace
}  // namespace accelerant::io
