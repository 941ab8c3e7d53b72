#include "device/primitives/radix_sort.h"

#include "device/emulator/test_orders.h"
#include "device/primitives/gather.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

namespace accelerant::device {
namespace {

using emulator::TestDevice;

class RadixSortTest : public testing::TestWithParam<emulator::Schedule> {};

using Keys = std::vector<uint64_t>;

Keys random_keys(int64_t n, int32_t num_bits) {
  std::mt19937_64 random(static_cast<uint64_t>(n + num_bits));
  Keys keys(static_cast<size_t>(n));
  for (uint64_t& key : keys) key = num_bits == 0 ? 0 : random() >> (64 - num_bits);
  return keys;
}

/// Returns the values in the order of the rows.
template <class Value>
std::vector<Value> in_order(const std::vector<Value>& values, const std::vector<int32_t>& rows) {
  std::vector<Value> to(rows.size());
  gather_on_host<Value>(values, rows, to);
  return to;
}

void compare_with_host(const emulator::Schedule& schedule, const Keys& keys, int32_t num_bits) {
  const auto n = static_cast<int64_t>(keys.size());
  TestDevice device(schedule);
  auto* sorted_keys = device.make<uint64_t>(n);
  auto* sorted_rows = device.make<int32_t>(n);
  void* workspace = device.make<char>(radix_sort_workspace_bytes(n, num_bits));
  const uint64_t* from = n == 0 ? nullptr : device.put(keys);
  radix_sort(device.stream(), {from, nullptr, n, num_bits, sorted_keys, sorted_rows}, workspace);
  const std::vector<int32_t> expected = radix_sort_on_host(keys, num_bits);
  EXPECT_EQ(device.get(sorted_rows, n), expected) << n << " rows by " << num_bits << " bits";
  EXPECT_EQ(device.get(sorted_keys, n), in_order(keys, expected)) << n << " rows by " << num_bits << " bits";
}

TEST_P(RadixSortTest, EqualsTheReference) {
  for (const int64_t n : emulator::kTestSizes) {
    if (emulator::kTurnsAreSlow && n > 1000) continue;
    compare_with_host(GetParam(), random_keys(n, 64), 12);
  }
}

TEST_P(RadixSortTest, LooksBackOverSeveralTiles) {
  compare_with_host(GetParam(), random_keys(emulator::kTurnsAreSlow ? 2100 : 3 * 2048 + 5, 9), 9);
}

TEST_P(RadixSortTest, TakesEveryNumberOfBits) {
  for (int32_t num_bits = 0; num_bits <= 64; num_bits += emulator::kTurnsAreSlow ? 32 : 1) {
    const Keys keys = random_keys(100, 64);
    compare_with_host(GetParam(), keys, num_bits);
    compare_with_host(GetParam(), random_keys(100, num_bits), num_bits);
  }
}

TEST_P(RadixSortTest, TakesKeysInAnyOrder) {
  const int64_t n = emulator::kTurnsAreSlow ? 300 : 5000;
  Keys keys(static_cast<size_t>(n), 0x4242424242424242);
  compare_with_host(GetParam(), keys, 16);
  std::iota(keys.begin(), keys.end(), 0);
  compare_with_host(GetParam(), keys, 16);
  std::ranges::reverse(keys);
  compare_with_host(GetParam(), keys, 16);
  for (size_t i = 0; i < keys.size(); ++i) keys[i] = i % 2 == 0 ? ~uint64_t{0} : 0x00ff;
  compare_with_host(GetParam(), keys, 64);
}

TEST_P(RadixSortTest, SortsByHigherWordsAfterLowerOnes) {
  constexpr int64_t kRows = 200;
  const Keys low = random_keys(kRows, 5);
  const Keys high = random_keys(kRows, 3);
  const std::vector<int32_t> by_low = radix_sort_on_host(low, 5);
  TestDevice device(GetParam());
  auto* sorted_keys = device.make<uint64_t>(kRows);
  auto* sorted_rows = device.make<int32_t>(kRows);
  void* workspace = device.make<char>(radix_sort_workspace_bytes(kRows, 3));
  const uint64_t* keys = device.put(in_order(high, by_low));
  radix_sort(device.stream(), {keys, device.put(by_low), kRows, 3, sorted_keys, sorted_rows}, workspace);

  std::vector<int32_t> expected(kRows);
  std::iota(expected.begin(), expected.end(), 0);
  std::ranges::stable_sort(expected, {}, [&](int32_t row) {
    return std::pair(high[static_cast<size_t>(row)], low[static_cast<size_t>(row)]);
  });
  EXPECT_EQ(device.get(sorted_rows, kRows), expected);
}

TEST(RadixSortWorkspace, IsWithinItsBound) {
  for (const int64_t n : {int64_t{0}, int64_t{1}, int64_t{2049}, int64_t{100'000'001}}) {
    EXPECT_LE(radix_sort_workspace_bytes(n, 64), 13 * n + 11'000) << n;
    EXPECT_LE(radix_sort_workspace_bytes(n, 8), n + 11'000) << n;
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, RadixSortTest, testing::ValuesIn(emulator::test_orders()));

}  // namespace
}  // namespace accelerant::device
