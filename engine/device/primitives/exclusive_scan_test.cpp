#include "device/primitives/exclusive_scan.h"

#include "device/emulator/test_orders.h"

#include <gtest/gtest.h>

#include <random>

namespace accelerant::device {
namespace {

using emulator::TestDevice;

class ExclusiveScan : public testing::TestWithParam<emulator::Schedule> {};

template <class Value>
void compare_with_host(const emulator::Schedule& schedule, int64_t n) {
  std::mt19937_64 random(static_cast<uint64_t>(n));
  std::vector<Value> values(static_cast<size_t>(n));
  for (Value& value : values) value = static_cast<Value>(random() % 2001) - 1000;
  TestDevice device(schedule);
  auto* sums = device.make<int64_t>(n + 1);
  void* workspace = device.make<char>(exclusive_scan_workspace_bytes(n));
  const Value* from = n == 0 ? nullptr : device.put(values);
  exclusive_scan(device.stream(), from, n, sums, workspace);
  EXPECT_EQ(device.get(sums, n + 1), exclusive_scan_on_host<Value>(values)) << n << " values";
}

TEST_P(ExclusiveScan, EqualsTheReference) {
  for (const int64_t n : emulator::kTestSizes) {
    compare_with_host<int32_t>(GetParam(), n);
    compare_with_host<int64_t>(GetParam(), n);
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, ExclusiveScan, testing::ValuesIn(emulator::test_orders()));

}  // namespace
}  // namespace accelerant::device
