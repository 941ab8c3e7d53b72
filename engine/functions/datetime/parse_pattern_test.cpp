#include "functions/datetime/parse_pattern.h"

#include "functions/datetime/pattern_compiler.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

// What Spark 4.3 answers on Java 17, in UTC.

namespace accelerant::functions {
namespace {

types::StringRef ref(std::string_view text) { return {text.data(), static_cast<int32>(text.size())}; }

const types::TimeZone& utc() {
  static constexpr int64 kStart[] = {INT64_MIN};
  static constexpr int32 kOffset[] = {0};
  static constexpr types::TimeZone kZone{kStart, kStart, kOffset, 1, 0, false};
  return kZone;
}

std::string outcome(int64 micros, uint64 error) {
  if (error & kNeedsSpark) return "spark";
  if (error & kCastInvalid) return "invalid";
  return error & kOutOfRange ? "overflow" : std::to_string(micros);
}

std::string instant(const DatePattern& pattern, std::string_view text) {
  uint64 error = 0;
  const int64 micros = parse_instant(pattern, ref(text), utc(), error);
  return outcome(micros, error);
}

std::string instant(std::string_view pattern, std::string_view text) {
  return instant(compile_pattern(ref(pattern), PatternUse::Parse), text);
}

std::string local(std::string_view pattern, std::string_view text) {
  uint64 error = 0;
  const int64 micros = parse_local(compile_pattern(ref(pattern), PatternUse::Parse), ref(text), error);
  return outcome(micros, error);
}

struct Case {
  const char* pattern;
  const char* text;
  const char* expected;
};

constexpr Case kCases[] = {
    {"yyyy-MM-dd HH:mm:ss", "2024-02-29 23:59:59", "1709251199000000"},
    {"yyyy-MM-dd HH:mm:ss", "2023-02-29 00:00:00", "invalid"},
    {"yyyy-MM-dd HH:mm:ss", "2024-02-29 24:00:00", "invalid"},
    {"yyyy-MM-dd HH:mm:ss", "2024-02-29 23:59:60", "invalid"},
    {"yyyy-MM-dd", "2024-2-29", "invalid"},
    {"yyyy-MM-dd", "+12024-02-29", "317278684800000000"},
    {"yyyy-MM-dd", "12024-02-29", "invalid"},
    {"yyyy-MM-dd", "-0044-03-15", "-63549360000000000"},
    {"yyyy-MM-dd", "-0000-03-15", "invalid"},
    {"yyyy-MM-dd", "+2024-03-15", "invalid"},
    {"yyyy-MM-dd", "1582-10-10", "-12219724800000000"},
    {"yyyy-MM-dd", "2024-02-29 ", "invalid"},
    {"y-M-d H:m:s", "2024-2-9 1:2:3", "1707440523000000"},
    {"y-M-d", "2024--2-9", "invalid"},
    {"yyyyMMdd", "20240229", "1709164800000000"},
    {"yyyyMMdd", "120240229", "invalid"},
    {"yyyyMMddHHmmss", "20240229235958", "1709251198000000"},
    {"yyyyMMddHHmmssSSS", "20240229235958123", "invalid"},
    {"yyMMdd", "240229", "1709164800000000"},
    {"yyMMdd", "990229", "invalid"},
    {"d/M/yy", "9/2/24", "1707436800000000"},
    {"yyyyMMd", "2024029", "invalid"},
    {"yyyyDDD", "2024366", "1735603200000000"},
    {"yyyyDDD", "2023366", "invalid"},
    {"yyyy-MM-dd D", "2024-02-29 60", "1709164800000000"},
    {"yyyy-MM-dd D", "2024-02-29 61", "invalid"},
    {"D", "366", "invalid"},
    {"dd MMM yyyy", "29 fEB 2024", "1709164800000000"},
    {"dd MMM yyyy", "29 Sept 2024", "invalid"},
    {"d MMMM yyyy", "1 May 2024", "1714521600000000"},
    {"d LLLL yyyy", "1 September 2024", "1725148800000000"},
    {"MMMMd", "May1", "10368000000000"},
    {"h:mm a", "12:30 am", "1800000000"},
    {"h:mm a", "12:30 PM", "45000000000"},
    {"h:mm a", "13:30 PM", "invalid"},
    {"h:mm", "1:30", "5400000000"},
    {"K:mm a", "11:30 PM", "84600000000"},
    {"K:mm a", "12:30 PM", "invalid"},
    {"kk:mm", "24:30", "1800000000"},
    {"kk:mm", "00:30", "invalid"},
    {"a", "PM", "43200000000"},
    {"HH a", "13 PM", "46800000000"},
    {"HH a", "11 PM", "invalid"},
    {"HH a ss", "11 PM 30", "39630000000"},
    {"HH K", "13 1", "46800000000"},
    {"HH K", "13 2", "invalid"},
    {"mm:ss", "59:58", "3598000000"},
    {"HH:mm:ss.SSS", "01:02:03.1", "3723100000"},
    {"HH:mm:ss.SSS", "01:02:03.123", "3723123000"},
    {"HH:mm:ss.SSS", "01:02:03.1234", "invalid"},
    {"HH:mm:ss.SSS", "01:02:03.", "invalid"},
    {"HH:mm:ss.SSSSSSSSS", "01:02:03.123456789", "3723123456"},
    {"ssS", "031", "3100000"},
    {"HHmm", "0102", "3720000000"},
    {"HHmm", "102", "invalid"},
    {"yyyy-MM-dd'T'HH:mm:ssXXX", "2024-02-29T01:02:03Z", "1709168523000000"},
    {"yyyy-MM-dd'T'HH:mm:ssXXX", "2024-02-29t01:02:03z", "1709168523000000"},
    {"yyyy-MM-dd'T'HH:mm:ssXXX", "2024-02-29T01:02:03+05:30", "1709148723000000"},
    {"yyyy-MM-dd'T'HH:mm:ssXXX", "2024-02-29T01:02:03+0530", "invalid"},
    {"HH X", "01 +05", "-14400000000"},
    {"HH X", "01 -0530", "23400000000"},
    {"HH XX", "01 +05", "invalid"},
    {"HH XXXX", "01 +053015", "-16215000000"},
    {"HH XXXXX", "01 +05:30:15", "-16215000000"},
    {"HH x", "01 +0030", "invalid"},
    {"HH xx", "01 +0000", "3600000000"},
    {"HH xxx", "01 +00:00", "3600000000"},
    {"HH Z", "01 +0100", "0"},
    {"HH ZZZZZ", "01 Z", "3600000000"},
    {"HH XXX", "01 +18:00", "-61200000000"},
    {"HH XXX", "01 +18:01", "invalid"},
    {"HH XXX", "01 +24:00", "invalid"},
    {"[XX]HHmmss", "+2400102", "invalid"},
    {"yyyy-MM-dd[ HH:mm[:ss]]", "2024-02-29", "1709164800000000"},
    {"yyyy-MM-dd[ HH:mm[:ss]]", "2024-02-29 01:02", "1709168520000000"},
    {"yyyy-MM-dd[ HH:mm[:ss]]", "2024-02-29 01:02:03", "1709168523000000"},
    {"yyyy-MM-dd[ HH:mm[:ss]]", "2024-02-29 01:02:", "invalid"},
    {"yyyy-MM-dd[ HH:mm[:ss]]", "2024-02-29 01", "invalid"},
    {"[yyyy-MM-dd][dd.MM.yyyy]", "29.02.2024", "1709164800000000"},
    {"[yyyy-MM-dd][dd.MM.yyyy]", "2024-02-2929.02.2024", "1709164800000000"},
    {"[yyyy-MM-dd][dd.MM.yyyy]", "2024-02-2929.02.2025", "invalid"},
    {"[yyyy-MM-dd][dd.MM.yyyy]", "", "0"},
    {"yyyy G", "0044 BC", "-63524131200000000"},
    {"yyyy G", "2024 ad", "1704067200000000"},
    {"yyyy GGGG", "0001 before christ", "-62167219200000000"},
    {"yyyy G", "0000 AD", "invalid"},
    {"yyyy[ G]", "2024", "0"},
    {"yyyy yyyy", "2024 2024", "1704067200000000"},
    {"yyyy yyyy", "2024 2025", "invalid"},
    {"yyyy", "+294248", "overflow"},
    {"yyyy-MM-dd HH:mm:ss.SSSSSS", "+294247-01-10 04:00:54.775807", "9223372036854775807"},
    {"yyyy-MM-dd HH:mm:ss.SSSSSS", "+294247-01-10 04:00:54.775808", "overflow"},
    {"yyyy", "+1000000000", "invalid"},
    {"yyyy年MM月dd日", "2024年02月29日", "1709164800000000"},
};

TEST(ParsePattern, ReadsInstants) {
  for (const Case& item : kCases)
    EXPECT_EQ(instant(item.pattern, item.text), item.expected) << item.pattern << " of " << item.text;
}

TEST(ParsePattern, ReadsTextsOfFixedPlacesAsAnyOther) {
  for (const Case& item : kCases) {
    DatePattern pattern = compile_pattern(ref(item.pattern), PatternUse::Parse);
    pattern.fixed_bytes = -1;
    EXPECT_EQ(instant(pattern, item.text), item.expected) << item.pattern << " of " << item.text;
  }
}

TEST(ParsePattern, PassesOverOffsetsOfLocalTimes) {
  EXPECT_EQ(local("HH XXX", "01 +05:00"), "3600000000");
  EXPECT_EQ(local("HH XXX", "01 +18:01"), "spark");
  EXPECT_EQ(local("HH XXX", "01 +24:00"), "invalid");
  EXPECT_EQ(local("yyyy", "+294248"), "overflow");
}

TEST(ParsePattern, LeavesToSparkWhatJavaTakesForAnAsciiLetter) {
  EXPECT_EQ(instant("'k'HH", "\u212a01"), "spark");
  EXPECT_EQ(instant("'k'HH", "\u20ac01"), "invalid");
  EXPECT_EQ(instant("MMM", "\u017fep"), "spark");
  EXPECT_EQ(instant("MMM", "\u00e9ep"), "invalid");
}

TEST(ParsePattern, LeavesToSparkNumbersOfManyDigits) {
  EXPECT_EQ(instant("d", "000000000000000001"), "0");
  EXPECT_EQ(instant("d", "0000000000000000001"), "spark");
}

TEST(ParsePattern, ReadsNoFurtherThanTheText) {
  for (const Case& item : kCases) {
    const std::string_view whole = item.text;
    for (size_t length = 0; length < whole.size(); ++length) {
      const std::string cut(whole.substr(0, length));  // of its own, so that a sanitizer sees its end
      static_cast<void>(instant(item.pattern, cut));
    }
  }
}

}  // namespace
}  // namespace accelerant::functions
