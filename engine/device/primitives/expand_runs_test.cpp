#include "device/primitives/expand_runs.h"

#include "base/error.h"
#include "device/emulator/test_orders.h"
#include "device/primitives/test_runs.h"

#include <gtest/gtest.h>

namespace accelerant::device {
namespace {

using emulator::TestDevice;
using Bytes = std::vector<uint8_t>;

class ExpandRuns : public testing::TestWithParam<emulator::Schedule> {};

/// A stream to expand, on the host.
struct HostStream {
  Bytes data;
  int32_t bit_width;
  int64_t num_values;
};

/// Expands all streams in one launch and compares each with the reference.
template <class Value>
void compare_with_host(const emulator::Schedule& schedule, const std::vector<HostStream>& from) {
  TestDevice device(schedule);
  std::vector<RunStream> streams;
  for (const auto& [data, bit_width, num_values] : from) {
    const uint8_t* place = data.empty() ? nullptr : device.put(data);
    streams.push_back(
        {place, static_cast<int64_t>(data.size()), num_values, device.make<Value>(num_values), bit_width});
  }
  const auto num_streams = static_cast<int64_t>(streams.size());
  auto* statuses = device.make<PageStatus>(num_streams);
  expand_runs(device.stream(), sizeof(Value), device.put(streams), num_streams, statuses);
  const std::vector<PageStatus> found = device.get(statuses, num_streams);
  for (size_t i = 0; i < from.size(); ++i) {
    std::vector<uint32_t> expected;
    ASSERT_EQ(found[i], expand_runs_on_host(from[i].data, from[i].bit_width, from[i].num_values, expected)) << i;
    if (found[i] != PageStatus::Sound) continue;
    const std::vector<Value> values = device.get(static_cast<Value*>(streams[i].to), from[i].num_values);
    ASSERT_EQ(values, std::vector<Value>(expected.begin(), expected.end())) << i << ", " << from[i].bit_width;
  }
}

TEST_P(ExpandRuns, EqualsTheReference) {
  std::mt19937 random(5);
  std::vector<HostStream> streams;
  for (const int64_t n : emulator::kTestSizes) {
    RunWriter runs = some_runs(1 + static_cast<int>(n % 20), random);
    runs.repeat(1, 2500);
    streams.push_back({runs.bytes(), 1 + static_cast<int32_t>(n % 20), n});
  }
  compare_with_host<uint32_t>(GetParam(), streams);
}

TEST_P(ExpandRuns, TakesEveryWidth) {
  std::mt19937 random(6);
  std::vector<HostStream> wide;
  std::vector<HostStream> narrow;
  for (const int width : {0, 1, 2, 3, 5, 7, 8, 9, 13, 16, 17, 24, 25, 31, 32}) {
    const RunWriter runs = some_runs(width, random);
    const HostStream stream = {runs.bytes(), width, static_cast<int64_t>(runs.values().size())};
    std::vector<uint32_t> values;
    ASSERT_EQ(expand_runs_on_host(stream.data, width, stream.num_values, values), PageStatus::Sound);
    ASSERT_EQ(values, runs.values());
    (width <= 8 ? narrow : wide).push_back(stream);
  }
  compare_with_host<uint32_t>(GetParam(), wide);
  compare_with_host<uint32_t>(GetParam(), narrow);
  compare_with_host<uint8_t>(GetParam(), narrow);
}

TEST_P(ExpandRuns, ReadsMoreRunsThanAQueueHolds) {
  RunWriter runs(3);
  for (uint32_t i = 0; i < 100; ++i) {
    runs.repeat(i % 8, i % 4);
    if (i % 7 == 0) runs.pack({1, 2, 3, 4, 5, 6, 7, 0});
  }
  const auto n = static_cast<int64_t>(runs.values().size());
  compare_with_host<uint8_t>(GetParam(), {{runs.bytes(), 3, n}, {runs.bytes(), 3, n / 2}, {runs.bytes(), 3, n + 1}});
}

TEST_P(ExpandRuns, FindsWhatEndsTooEarly) {
  RunWriter runs(5);
  runs.repeat(3, 10);
  runs.pack(std::vector<uint32_t>(16, 7));
  std::vector<HostStream> streams;
  for (int64_t length = 0; length <= runs.num_bytes(); ++length) {
    Bytes bytes = runs.bytes();
    bytes.resize(static_cast<size_t>(length));
    streams.push_back({bytes, 5, length % 2 == 0 ? 26 : 27});
  }
  compare_with_host<uint32_t>(GetParam(), streams);
}

TEST_P(ExpandRuns, FindsWhatIsNoStream) {
  const Bytes endless(20, 0xff);
  const std::vector<HostStream> streams = {
      {endless, 8, 10},
      {{0x80, 0x80, 0x80, 0x80, 0x10, 1}, 8, 10},  // a count of 33 bits
      {{0xff, 0xff, 0xff, 0xff, 0x0f, 1}, 8, 10},  // 2^31 - 1 groups, and one byte
      {{0xfe, 0xff, 0xff, 0xff, 0x0f, 1}, 8, 10},  // 2^31 - 1 times a byte
      {Bytes(300, 0), 0, 10},                      // runs of nothing
      {{1, 2, 3}, 33, 10},
      {{1, 2, 3}, -1, 10},
      {{}, 1, 0},
  };
  compare_with_host<uint32_t>(GetParam(), streams);
}

TEST_P(ExpandRuns, SurvivesAnyBytes) {
  std::mt19937 random(7);
  std::vector<HostStream> streams;
  for (int trial = 0; trial < 24; ++trial) {
    Bytes bytes(random() % 40);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random() % 4 == 0 ? random() : random() % 16);
    streams.push_back({bytes, static_cast<int32_t>(random() % 34), static_cast<int64_t>(random() % 200)});
  }
  compare_with_host<uint32_t>(GetParam(), streams);
}

TEST(ExpandRunsValues, RefusesOtherWidthsOfValues) {
  TestDevice device(emulator::test_orders().front());
  EXPECT_THROW(expand_runs(device.stream(), 2, nullptr, 1, nullptr), Error);
}

INSTANTIATE_TEST_SUITE_P(Orders, ExpandRuns, testing::ValuesIn(emulator::test_orders()));

}  // namespace
}  // namespace accelerant::device
