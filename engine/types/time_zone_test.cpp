#include "types/zone_rules.h"

#include <gtest/gtest.h>

namespace accelerant::types {
namespace {

TEST(Calendar, TurnsDaysIntoDatesAndBack) {
  for (int64 days = -2147483648; days <= 2147483647; days += days > -800000 && days < 3000000 ? 1 : 99991) {
    const CivilDate date = civil_of_days(days);
    ASSERT_EQ(days_of_civil(date), days);
    ASSERT_GE(date.day, 1);
    ASSERT_LE(date.day, days_in_month(date.year, date.month));
    ASSERT_EQ(day_of_year(date), days - days_of_civil({date.year, 1, 1}) + 1);
  }
}

TEST(Calendar, CountsDaysOneByOne) {
  CivilDate expected{-1, 12, 31};
  int32 weekday = 4;  // a Friday
  for (int64 days = days_of_civil(expected); expected.year < 10000; ++days) {
    const CivilDate date = civil_of_days(days);
    ASSERT_EQ(date.year, expected.year);
    ASSERT_EQ(date.month, expected.month);
    ASSERT_EQ(date.day, expected.day);
    ASSERT_EQ(weekday_of_days(static_cast<int32>(days)), weekday);
    weekday = (weekday + 1) % 7;
    if (++expected.day <= days_in_month(expected.year, expected.month)) continue;
    expected.day = 1;
    if (++expected.month <= 12) continue;
    expected = {expected.year + 1, 1, 1};
  }
}

TEST(Calendar, KnowsLeapYears) {
  EXPECT_TRUE(is_leap(2000));
  EXPECT_TRUE(is_leap(0));
  EXPECT_TRUE(is_leap(-4));
  EXPECT_FALSE(is_leap(1900));
  EXPECT_FALSE(is_leap(2023));
  EXPECT_EQ(days_in_month(2024, 2), 29);
  EXPECT_EQ(days_in_month(2023, 2), 28);
}

TEST(Calendar, AddsMonths) {
  const CivilDate date = plus_months({2024, 1, 31}, 1);
  EXPECT_EQ(date.month, 2);
  EXPECT_EQ(date.day, 29);
  const CivilDate earlier = plus_months({0, 1, 31}, -2);
  EXPECT_EQ(earlier.year, -1);
  EXPECT_EQ(earlier.month, 11);
  EXPECT_EQ(earlier.day, 30);
}

/// One hour ahead of UTC, two from second 100,000 to 200,000, then a quarter of an hour back for good.
ZoneRules three_periods() {
  const ZoneTransition transitions[] = {{100000, 7200}, {200000, -900}};
  return ZoneRules("three", 3600, transitions, 2);
}

TEST(TimeZone, KnowsOffsetsOfInstants) {
  const ZoneRules rules = three_periods();
  const TimeZone zone = rules.view();
  EXPECT_EQ(offset_at(zone, -9000000000000), 3600);
  EXPECT_EQ(offset_at(zone, 99999), 3600);
  EXPECT_EQ(offset_at(zone, 100000), 7200);
  EXPECT_EQ(offset_at(zone, 199999), 7200);
  EXPECT_EQ(offset_at(zone, 200000), -900);
  EXPECT_EQ(offset_at(zone, 9000000000000), -900);
}

TEST(TimeZone, MovesLocalTimesOutOfGaps) {
  const ZoneRules rules = three_periods();
  const TimeZone zone = rules.view();
  EXPECT_EQ(second_of_local(zone, 103599), 99999);
  EXPECT_TRUE(offsets_of_local(zone, 103600).in_gap());
  EXPECT_EQ(second_of_local(zone, 103600), 100000);
  EXPECT_EQ(second_of_local(zone, 107199), 103599);
  EXPECT_EQ(second_of_local(zone, 107200), 100000);
  EXPECT_FALSE(offsets_of_local(zone, 107200).in_gap());
}

TEST(TimeZone, TakesTheEarlierOfTwoLocalTimesUnlessToldOtherwise) {
  const ZoneRules rules = three_periods();
  const TimeZone zone = rules.view();
  EXPECT_FALSE(offsets_of_local(zone, 199099).in_overlap());
  EXPECT_TRUE(offsets_of_local(zone, 199100).in_overlap());
  EXPECT_EQ(second_of_local(zone, 199100), 191900);
  EXPECT_EQ(second_of_local(zone, 199100, 7200), 191900);
  EXPECT_EQ(second_of_local(zone, 199100, -900), 200000);
  EXPECT_EQ(second_of_local(zone, 199100, 3600), 191900);
  EXPECT_EQ(second_of_local(zone, 207199), 199999);
  EXPECT_EQ(second_of_local(zone, 207200), 208100);
}

TEST(TimeZone, BeginsDaysAfterSkippedMidnights) {
  const ZoneTransition transitions[] = {{864000 - 1800, 3600}};  // 23:30 becomes 00:30
  const ZoneRules rules("late", 0, transitions, 1);
  EXPECT_EQ(start_of_day(rules.view(), 9), 9 * 86400);
  EXPECT_EQ(start_of_day(rules.view(), 10), 864000 - 1800);
  EXPECT_EQ(start_of_day(rules.view(), 11), 11 * 86400 - 3600);
}

TEST(TimeZone, RepeatsYearlyRulesForEver) {
  std::vector<ZoneTransition> transitions = {{-1000000000, 60}};
  for (int year = 1990; year < 2393; ++year) {
    transitions.push_back({days_of_civil({year, 4, 1}) * 86400, 3660});
    transitions.push_back({days_of_civil({year, 10, 1}) * 86400, 60});
  }
  const ZoneRules rules("yearly", 0, transitions, 1);
  for (int year = 1990; year < 290000; year += year < 2500 ? 1 : 97) {
    const int64 spring = days_of_civil({year, 4, 1}) * 86400;
    const int64 autumn = days_of_civil({year, 10, 1}) * 86400;
    ASSERT_EQ(offset_at(rules.view(), spring - 1), 60) << year;
    ASSERT_EQ(offset_at(rules.view(), spring), 3660) << year;
    ASSERT_EQ(offset_at(rules.view(), autumn - 1), 3660) << year;
    ASSERT_EQ(offset_at(rules.view(), autumn), 60) << year;
    ASSERT_TRUE(offsets_of_local(rules.view(), spring + 60).in_gap()) << year;
    ASSERT_EQ(offsets_of_local(rules.view(), spring + 60).transition, spring) << year;
    ASSERT_EQ(second_of_local(rules.view(), autumn + 60), autumn - 3600) << year;
    ASSERT_EQ(second_of_local(rules.view(), autumn + 60, 60), autumn) << year;
  }
}

}  // namespace
}  // namespace accelerant::types
