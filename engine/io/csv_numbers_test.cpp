#include "io/csv_numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

namespace accelerant::io {

namespace {

types::StringRef text_of(const std::string& text) { return {text.data(), static_cast<int32_t>(text.size())}; }

TEST(CsvNumbers, ReadsIntegers) {
  EXPECT_EQ(read_plain_integer(text_of("0")), 0);
  EXPECT_EQ(read_plain_integer(text_of("-007")), -7);
  EXPECT_EQ(read_plain_integer(text_of("+12")), 12);
  EXPECT_EQ(read_plain_integer(text_of("9223372036854775807")), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(read_plain_integer(text_of("-9223372036854775808")), std::numeric_limits<int64_t>::min());
  for (const char* text : {"", "+", "-", " 1", "1 ", "1.", "1.0", "1e3", "0x1", "9223372036854775808",
                           "-9223372036854775809", "10000000000000000000", "1_0", "--1", "\xd9\xa1"}) {
    EXPECT_FALSE(read_plain_integer(text_of(text))) << text;
  }
}

TEST(CsvNumbers, ReadsDoublesAndFloats) {
  for (const char* text : {"0", "-0", "1.", ".5", "-12.75", "1e5", "1E-7", "123456789012345678901234567890", "5e-324",
                           "1e400", "0.1", "16777217", "3.4028236e38", "1e-46", "9007199254740993", "8.5e22"}) {
    EXPECT_EQ(*read_plain_double(text_of(text)), std::strtod(text, nullptr)) << text;
    EXPECT_EQ(*read_plain_float(text_of(text)), std::strtof(text, nullptr)) << text;
  }
  EXPECT_TRUE(std::signbit(*read_plain_double(text_of("-0"))));
  for (const char* text :
       {"", ".", "-", "e1", "1e", "1e+", "1d", "NaN", "Inf", " 1", "1 ", "0x1p3", "1e00001", "1,5"}) {
    EXPECT_FALSE(read_plain_double(text_of(text))) << text;
  }
}

TEST(CsvNumbers, RoundsRandomNumbersAsTheCLibraryDoes) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = std::to_string(random() >> random() % 64);
    if (random() % 2) text.insert(random() % (text.size() + 1), ".");
    if (random() % 2) text += "e" + std::to_string(static_cast<int>(random() % 60) - 30);
    EXPECT_EQ(*read_plain_double(text_of(text)), std::strtod(text.c_str(), nullptr)) << text;
    EXPECT_EQ(*read_plain_float(text_of(text)), std::strtof(text.c_str(), nullptr)) << text;
  }
}

TEST(CsvNumbers, ReadsDecimals) {
  EXPECT_EQ(read_plain_decimal(text_of("12.34"), 10, 2), 1234);
  EXPECT_EQ(read_plain_decimal(text_of("-12.3"), 10, 2), -1230);
  EXPECT_EQ(read_plain_decimal(text_of("12.345"), 10, 2), 1235);
  EXPECT_EQ(read_plain_decimal(text_of("-12.345"), 10, 2), -1235);
  EXPECT_EQ(read_plain_decimal(text_of("+.5"), 3, 1), 5);
  EXPECT_EQ(read_plain_decimal(text_of("99999999999999999999.5"), 21, 0), int128{1000000000000} * 100000000);
  for (const char* text : {"", ".", "1e3", "1,000", "12345", "999.95", "1 "}) {
    EXPECT_FALSE(read_plain_decimal(text_of(text), 4, 1)) << text;
  }
}

}  // namespace

}  // namespace accelerant::io
