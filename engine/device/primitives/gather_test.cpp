#include "device/primitives/gather.h"

#include "device/emulator/test_orders.h"
#include "types/integers.h"

#include <gtest/gtest.h>

#include <random>

namespace accelerant::device {
namespace {

using emulator::TestDevice;

class Gather : public testing::TestWithParam<emulator::Schedule> {};

constexpr int64_t kNumValues = 777;

/// Rows of kNumValues values, some of them below 0.
std::vector<int32_t> some_rows(int64_t n) {
  std::mt19937_64 random(static_cast<uint64_t>(n));
  std::vector<int32_t> rows(static_cast<size_t>(n));
  for (int32_t& row : rows) row = static_cast<int32_t>(random() % (kNumValues + 50)) - 50;
  return rows;
}

template <class Value>
void compare_with_host(const emulator::Schedule& schedule, int64_t n) {
  const std::vector<int32_t> rows = some_rows(n);
  std::vector<Value> from(kNumValues);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<Value>(i * 0x9E3779B97F4A7C15u);
  std::vector<Value> expected(rows.size(), Value{7});
  TestDevice device(schedule);
  Value* to = device.put(expected);
  gather_on_host<Value>(from, rows, expected);
  gather(device.stream(), sizeof(Value), device.put(from), device.put(rows), n, to);
  EXPECT_TRUE(device.get(to, n) == expected) << n << " rows of " << sizeof(Value) << " bytes";
}

TEST_P(Gather, EqualsTheReference) {
  for (const int64_t n : emulator::kTestSizes) compare_with_host<uint64_t>(GetParam(), n);
}

TEST_P(Gather, TakesValuesOfEveryWidth) {
  compare_with_host<uint8_t>(GetParam(), 200);
  compare_with_host<uint16_t>(GetParam(), 200);
  compare_with_host<uint32_t>(GetParam(), 200);
  compare_with_host<uint128>(GetParam(), 200);
}

TEST_P(Gather, BitsEqualTheReference) {
  std::vector<uint8_t> bits((kNumValues + 7) / 8, 0x9d);
  for (const int64_t n : emulator::kTestSizes) {
    const std::vector<int32_t> rows = some_rows(n);
    TestDevice device(GetParam());
    const auto num_words = (n + 31) / 32;
    auto* to = device.make<uint32_t>(num_words);
    const int32_t* device_rows = device.put(rows);
    gather_bits(device.stream(), device.put(bits), device_rows, n, to);
    EXPECT_EQ(device.get(to, num_words), gather_bits_on_host(bits.data(), rows)) << n << " rows";
    gather_bits(device.stream(), nullptr, device_rows, n, to);
    EXPECT_EQ(device.get(to, num_words), gather_bits_on_host(nullptr, rows)) << n << " rows";
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, Gather, testing::ValuesIn(emulator::test_orders()));

}  // namespace
}  // namespace accelerant::device
