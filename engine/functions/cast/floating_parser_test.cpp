#include "functions/cast/floating_parser.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <random>
#include <string>

namespace accelerant::functions {
namespace {

/// Fails unless a number is read to the bits that the C library reads.
void expect_nearest(const std::string& text) {
  const types::StringRef ref{text.data(), static_cast<int32>(text.size())};
  const FloatingParser<double> as_double(ref, false);
  const FloatingParser<float> as_float(ref, false);
  ASSERT_TRUE(as_double.is_valid() && as_float.is_valid()) << text;
  ASSERT_EQ(std::bit_cast<uint64_t>(as_double.value()), std::bit_cast<uint64_t>(std::strtod(text.c_str(), nullptr)))
      << text;
  ASSERT_EQ(std::bit_cast<uint32_t>(as_float.value()), std::bit_cast<uint32_t>(std::strtof(text.c_str(), nullptr)))
      << text;
}

std::string random_digits(std::mt19937& random, size_t count) {
  std::string digits(count, '0');
  for (char& c : digits) c = static_cast<char>('0' + random() % 10);
  return digits;
}

TEST(FloatingParser, ReadsTheNearestNumber) {
  std::mt19937 random(11);
  for (int i = 0; i < 20000; ++i) {
    std::string text = random_digits(random, 1 + random() % 25);
    if (random() % 2) text.insert(random() % text.size(), ".");
    if (random() % 2) text += "e" + std::to_string(static_cast<int>(random() % 700) - 350);
    expect_nearest(text);
  }
}

TEST(FloatingParser, ReadsNumbersHalfwayBetweenTwo) {
  std::mt19937 random(12);
  char text[1200];
  for (int i = 0; i < 3000; ++i) {
    // 2^k + half a unit in the last place has every digit written out by printf.
    const auto bits = static_cast<uint64_t>(random()) << 32 | random();
    const double number = std::bit_cast<double>(bits & ~(uint64_t{1} << 63));
    if (!(number < 1e308)) continue;
    std::snprintf(text, sizeof text, "%.1100Lf", static_cast<long double>(number) * (1 + 0x1p-53L));
    std::string exact(text);
    exact.erase(exact.find_last_not_of('0') + 1);
    for (const char* tail : {"", "0000000001"}) expect_nearest(exact + tail);
  }
}

TEST(FloatingParser, ReadsHexadecimalNumbers) {
  for (const char* text : {"0x1p3", "0X.8P+2", "0x1.fffffffffffff8p0", "0x1.fffffffffffff7p0", "0x1p-1074", "0x1p-1075",
                           "0x1.8p-1075", "0x123456789abcdef01p-4", "0x1p1024", "0x1.000001p-126", "0x0p5"}) {
    expect_nearest(text);
  }
}

}  // namespace
}  // namespace accelerant::functions
