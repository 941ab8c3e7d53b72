#include "device/primitives/gather_strings.h"

#include "device/emulator/test_orders.h"
#include "device/primitives/exclusive_scan.h"

#include <gtest/gtest.h>

#include <random>

namespace accelerant::device {
namespace {

using emulator::TestDevice;

class GatherStrings : public testing::TestWithParam<emulator::Schedule> {};

/// Strings of any bytes, of random sizes below some.
HostStrings some_strings(int64_t n, uint64_t size_limit) {
  std::mt19937_64 random(static_cast<uint64_t>(n) + size_limit);
  HostStrings strings;
  for (int64_t i = 0; i < n; ++i) {
    for (uint64_t left = random() % size_limit; left > 0; --left) {
      strings.bytes.push_back(static_cast<uint8_t>(random()));
    }
    strings.offsets.push_back(static_cast<int64_t>(strings.bytes.size()));
  }
  return strings;
}

/// Rows of `num_strings` strings, some of them below 0.
std::vector<int32_t> some_rows(int64_t n, int64_t num_strings) {
  std::mt19937_64 random(static_cast<uint64_t>(n));
  std::vector<int32_t> rows(static_cast<size_t>(n));
  for (int32_t& row : rows) row = static_cast<int32_t>(random() % static_cast<uint64_t>(num_strings + 5)) - 5;
  return rows;
}

/// Gathers as a caller does: sizes, their scan, memory for the bytes, the bytes.
void compare_with_host(const emulator::Schedule& schedule, const HostStrings& from, const std::vector<int32_t>& rows) {
  const auto n = static_cast<int64_t>(rows.size());
  TestDevice device(schedule);
  const int64_t* offsets = device.put(from.offsets);
  const int32_t* device_rows = device.put(rows);
  auto* sizes = device.make<int32_t>(n);
  auto* to_offsets = device.make<int64_t>(n + 1);
  string_sizes(device.stream(), offsets, device_rows, n, sizes);
  exclusive_scan<int32_t>(device.stream(), sizes, n, to_offsets, device.make<char>(exclusive_scan_workspace_bytes(n)));

  const HostStrings expected = gather_strings_on_host(from, rows);
  const auto num_bytes = static_cast<int64_t>(expected.bytes.size());
  EXPECT_EQ(device.get(to_offsets, n + 1), expected.offsets) << n << " rows";
  std::vector<uint8_t> padded = from.bytes;
  padded.resize((padded.size() + 7) / 8 * 8);
  auto* to = device.make<uint8_t>(num_bytes);
  void* workspace = device.make<char>(gather_strings_workspace_bytes(num_bytes));
  gather_strings(device.stream(), {offsets, device.put(padded), device_rows, n, to_offsets, num_bytes, to}, workspace);
  EXPECT_EQ(device.get(to, num_bytes), expected.bytes) << n << " rows";
}

TEST_P(GatherStrings, EqualsTheReference) {
  for (const int64_t n : emulator::kTestSizes) {
    compare_with_host(GetParam(), some_strings(100, 20), some_rows(n, 100));
  }
}

TEST_P(GatherStrings, TakesStringsOfEverySize) {
  const int64_t n = emulator::kTurnsAreSlow ? 30 : 300;
  for (const uint64_t size_limit : {1, 2, 40, 1000}) {
    compare_with_host(GetParam(), some_strings(50, size_limit), some_rows(n, 50));
  }
}

TEST_P(GatherStrings, TakesAStringOfSeveralTilesAmongEmptyOnes) {
  HostStrings from = some_strings(1, 2);
  std::vector<int32_t> rows(700, 0);
  from.offsets = {0, 0};
  from.bytes.resize(9001);
  for (size_t i = 0; i < from.bytes.size(); ++i) from.bytes[i] = static_cast<uint8_t>(i * 7);
  from.offsets.push_back(9001);
  for (const size_t place : {size_t{0}, size_t{350}, size_t{699}}) rows[place] = 1;
  compare_with_host(GetParam(), from, rows);
}

INSTANTIATE_TEST_SUITE_P(Orders, GatherStrings, testing::ValuesIn(emulator::test_orders()));

}  // namespace
}  // namespace accelerant::device
