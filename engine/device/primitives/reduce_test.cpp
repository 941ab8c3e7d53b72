#include "device/primitives/reduce.h"

#include "device/emulator/test_orders.h"

#include <gtest/gtest.h>

#include <random>

namespace accelerant::device {
namespace {

using emulator::TestDevice;

class Reduce : public testing::TestWithParam<emulator::Schedule> {};

TEST_P(Reduce, EqualsTheReference) {
  for (const Reduction reduction : {Reduction::Sum, Reduction::Minimum, Reduction::Maximum}) {
    for (const int64_t n : emulator::kTestSizes) {
      std::mt19937_64 random(static_cast<uint64_t>(n));
      std::vector<int64_t> values(static_cast<size_t>(n));
      for (int64_t& value : values) value = static_cast<int64_t>(random());
      TestDevice device(GetParam());
      auto* result = device.make<int64_t>(1);
      void* workspace = device.make<char>(reduce_workspace_bytes(n));
      const int64_t* from = n == 0 ? nullptr : device.put(values);
      reduce(device.stream(), reduction, from, n, result, workspace);
      EXPECT_EQ(device.get(result, 1)[0], reduce_on_host(reduction, values)) << n << " values";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, Reduce, testing::ValuesIn(emulator::test_orders()));

}  // namespace
}  // namespace accelerant::device
