#include "functions/datetime/print_pattern.h"

#include "functions/datetime/pattern_compiler.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

// What Spark 4.3 prints on Java 17, in UTC where no offset is named.

namespace accelerant::functions {
namespace {

std::string printed(std::string_view pattern, int64 micros, int32 offset = 0) {
  static constexpr int64 kStart[] = {INT64_MIN};
  const types::TimeZone zone{kStart, kStart, &offset, 1, 0, false};
  const types::StringRef text{pattern.data(), static_cast<int32>(pattern.size())};
  const DatePattern compiled = compile_pattern(text, PatternUse::Print);
  EXPECT_TRUE(compiled.is_valid) << pattern;
  const PatternText result = print_by_pattern(compiled, micros, zone);
  EXPECT_LE(result.length, compiled.max_text_bytes);
  return {result.bytes, static_cast<size_t>(result.length)};
}

struct Case {
  const char* pattern;
  int64 micros;
  const char* expected;
};

constexpr Case kCases[] = {
    {"y yy yyy yyyy yyyyy yyyyyy", 1709251199123456, "2024 24 2024 2024 02024 002024"},
    {"y yy yyyy", -62135596800000001, "0 00 0000"},
    {"y yy yyyy", -62198755200000000, "-1 01 -0001"},
    {"y yy yyyy G GGGG", -62198755200000000, "2 02 0002 BC Before Christ"},
    {"y yy yyyy", 253402300800000000, "10000 00 +10000"},
    {"yyyy-MM-dd HH:mm:ss.SSSSSS", 9223372036854775807, "+294247-01-10 04:00:54.775807"},
    {"yyyy-MM-dd HH:mm:ss.SSSSSS", INT64_MIN, "-290308-12-21 19:59:05.224192"},
    {"M MM MMM MMMM L LL LLL LLLL", 1709251199123456, "2 02 Feb February 2 02 Feb February"},
    {"d dd D DD DDD", 1704067200000000, "1 01 1 01 001"},
    {"E EE EEE EEEE", 1709251199123456, "Thu Thu Thu Thursday"},
    {"Q QQ QQQ QQQQ q qq qqq qqqq", 1709251199123456, "1 01 Q1 1st quarter 1 01 Q1 1st quarter"},
    {"H HH h hh k kk K KK a", 1709251199123456, "23 23 11 11 23 23 11 11 PM"},
    {"H HH h hh k kk K KK a", 1709164800000000, "0 00 12 12 24 24 0 00 AM"},
    {"H h k K a", 1709208000000000, "12 12 12 0 PM"},
    {"m mm s ss", 1709164869000000, "1 01 9 09"},
    {"S SS SSS SSSS SSSSS SSSSSS SSSSSSS SSSSSSSSS", 1709251199012345, "0 01 012 0123 01234 012345 0123450 012345000"},
    {"S SSS", -1, "9 999"},
    {"X XX XXX XXXX XXXXX x xx xxx", 0, "Z Z Z Z Z +00 +0000 +00:00"},
    {"Z ZZ ZZZ ZZZZZ", 0, "+0000 +0000 +0000 Z"},
    {"yyyy-MM-dd'T'HH:mm[:ss]", 1709251199123456, "2024-02-29T23:59:59"},
    {"yyyy年M月d日", 1709251199123456, "2024年2月29日"},
};

TEST(PrintPattern, PrintsAsJavaDoes) {
  for (const Case& item : kCases) EXPECT_EQ(printed(item.pattern, item.micros), item.expected) << item.pattern;
}

TEST(PrintPattern, PrintsOffsetsByTheirStyle) {
  constexpr std::string_view kStyles = "X XX XXX XXXX XXXXX x Z";
  EXPECT_EQ(printed(kStyles, 0, 7200), "+02 +0200 +02:00 +0200 +02:00 +02 +0200");
  EXPECT_EQ(printed(kStyles, 0, -12600), "-0330 -0330 -03:30 -0330 -03:30 -0330 -0330");
  EXPECT_EQ(printed(kStyles, 0, 3208), "+0053 +0053 +00:53 +005328 +00:53:28 +0053 +0053");
  EXPECT_EQ(printed(kStyles, 0, -28), "Z Z Z -000028 -00:00:28 +00 +0000");
}

}  // namespace
}  // namespace accelerant::functions
