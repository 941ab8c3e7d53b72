#include "device/primitives/generate.h"

#include "device/emulator/test_orders.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace accelerant::device {
namespace {

using emulator::TestDevice;

class Generate : public testing::TestWithParam<emulator::Schedule> {};

const RandomColumn kColumn{7, -50, 100};

TEST_P(Generate, EqualsTheReference) {
  for (const int64_t n : emulator::kTestSizes) {
    TestDevice device(GetParam());
    auto* narrow = device.make<int32_t>(n);
    auto* wide = device.make<int64_t>(n);
    generate(device.stream(), kColumn, n, 4, narrow);
    generate(device.stream(), kColumn, n, 8, wide);
    EXPECT_EQ(device.get(narrow, n), generate_on_host<int32_t>(kColumn, n)) << n << " rows";
    EXPECT_EQ(device.get(wide, n), generate_on_host<int64_t>(kColumn, n)) << n << " rows";
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, Generate, testing::ValuesIn(emulator::test_orders()));

TEST(RandomColumn, HasAllValuesOfItsRangeAndNoOthers) {
  const std::vector<int64_t> values = generate_on_host<int64_t>(kColumn, 5000);
  const std::set<int64_t> different(values.begin(), values.end());
  EXPECT_EQ(different.size(), 100);
  EXPECT_EQ(*different.begin(), -50);
  EXPECT_EQ(*different.rbegin(), 49);
}

TEST(RandomColumn, DependsOnTheSeed) {
  EXPECT_NE(generate_on_host<int64_t>({1, 0, 1'000'000}, 3), generate_on_host<int64_t>({2, 0, 1'000'000}, 3));
  const RandomColumn one_value{1, std::numeric_limits<int64_t>::max(), 1};
  EXPECT_EQ(generate_on_host<int64_t>(one_value, 2), std::vector<int64_t>(2, std::numeric_limits<int64_t>::max()));
}

}  // namespace
}  // namespace accelerant::device
