#include "device/primitives/compact.h"

#include "device/emulator/test_orders.h"

#include <gtest/gtest.h>

#include <random>

namespace accelerant::device {
namespace {

using emulator::TestDevice;

class Compact : public testing::TestWithParam<emulator::Schedule> {};

void compare_with_host(const emulator::Schedule& schedule, int64_t n, const std::vector<uint8_t>& bits) {
  TestDevice device(schedule);
  const std::vector<int32_t> expected = compact_on_host(bits.data(), n);
  const auto num_expected = static_cast<int64_t>(expected.size());
  auto* rows = device.make<int32_t>(num_expected);
  auto* num_selected = device.make<int64_t>(1);
  void* workspace = device.make<char>(compact_workspace_bytes(n));
  compact(device.stream(), n == 0 ? nullptr : device.put(bits), n, rows, num_selected, workspace);
  EXPECT_EQ(device.get(num_selected, 1)[0], num_expected) << n << " rows";
  EXPECT_EQ(device.get(rows, num_expected), expected) << n << " rows";
}

TEST_P(Compact, EqualsTheReference) {
  for (const int64_t n : emulator::kTestSizes) {
    std::mt19937_64 random(static_cast<uint64_t>(n));
    std::vector<uint8_t> bits(static_cast<size_t>((n + 7) / 8));
    compare_with_host(GetParam(), n, bits);
    for (uint8_t& byte : bits) byte = static_cast<uint8_t>(random());
    compare_with_host(GetParam(), n, bits);
    for (uint8_t& byte : bits) byte = 0xff;
    compare_with_host(GetParam(), n, bits);
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, Compact, testing::ValuesIn(emulator::test_orders()));

}  // namespace
}  // namespace accelerant::device
