#include "device/primitives/expand_deltas.h"

#include "base/error.h"
#include "device/emulator/test_orders.h"
#include "device/primitives/test_deltas.h"

#include <gtest/gtest.h>

#include <random>

namespace accelerant::device {
namespace {

using deltas::Cut;
using deltas::encode;
using deltas::some_values;
using emulator::TestDevice;
using Bytes = std::vector<uint8_t>;
using Values = std::vector<int64_t>;

class ExpandDeltas : public testing::TestWithParam<emulator::Schedule> {};

/// A stream to expand, on the host.
struct HostStream {
  Bytes data;
  int64_t num_values;
};

/// Expands all streams in one launch, compares each with the reference, and returns what was found.
template <class Value>
std::vector<PageStatus> compare_with_host(const emulator::Schedule& schedule, const std::vector<HostStream>& from) {
  TestDevice device(schedule);
  std::vector<DeltaStream> streams;
  for (const auto& [data, num_values] : from) {
    streams.push_back(
        {device.put(data), static_cast<int64_t>(data.size()), num_values, device.make<Value>(num_values)});
  }
  const auto num_streams = static_cast<int64_t>(streams.size());
  auto* statuses = device.make<PageStatus>(num_streams);
  expand_deltas(device.stream(), sizeof(Value), device.put(streams), num_streams, statuses);
  const std::vector<PageStatus> found = device.get(statuses, num_streams);
  for (size_t i = 0; i < from.size(); ++i) {
    Values expected;
    const bool is_sound = expand_deltas_on_host(from[i].data, from[i].num_values, expected);
    EXPECT_EQ(found[i] == PageStatus::Sound, is_sound) << i;
    if (!is_sound) continue;
    std::vector<Value> narrow;
    for (const int64_t value : expected) narrow.push_back(static_cast<Value>(value));
    EXPECT_EQ(device.get(static_cast<Value*>(streams[i].to), from[i].num_values), narrow) << i;
  }
  return found;
}

HostStream some_stream(int64_t n, int bit_width, const Cut& cut) {
  const Values values = some_values(n, bit_width);
  HostStream stream = {encode(values, cut), n};
  Values decoded;
  EXPECT_TRUE(expand_deltas_on_host(stream.data, n, decoded));
  EXPECT_EQ(decoded, values);
  return stream;
}

TEST_P(ExpandDeltas, EqualsTheReference) {
  std::vector<HostStream> streams;
  for (const int64_t n : emulator::kTestSizes) {
    streams.push_back(some_stream(n, static_cast<int>(n % 20), {4, 32}));
    streams.push_back({streams.back().data, n / 2});
  }
  for (const PageStatus status : compare_with_host<uint64_t>(GetParam(), streams)) EXPECT_EQ(status, PageStatus::Sound);
  compare_with_host<uint32_t>(GetParam(), {some_stream(300, 40, {4, 32})});
}

TEST_P(ExpandDeltas, TakesEveryWidthAndCut) {
  std::vector<HostStream> streams;
  for (const int width : {0, 1, 7, 8, 9, 31, 32, 33, 57, 63, 64}) {
    streams.push_back(some_stream(100, width, {1, 8}));
    streams.push_back(some_stream(100, width, {8, 64}));
  }
  compare_with_host<uint64_t>(GetParam(), streams);
}

TEST_P(ExpandDeltas, FindsWhatEndsTooEarly) {
  const HostStream whole = some_stream(20, 5, {2, 8});
  std::vector<HostStream> streams = {{whole.data, 21}};
  for (size_t length = 0; length < whole.data.size(); length += 1 + length / 8) {
    streams.push_back({Bytes(whole.data.begin(), whole.data.begin() + static_cast<int64_t>(length)), 20});
  }
  for (const PageStatus status : compare_with_host<uint64_t>(GetParam(), streams)) {
    EXPECT_EQ(status, PageStatus::EndsEarly);
  }
}

TEST_P(ExpandDeltas, FindsWhatIsNoStream) {
  const std::vector<HostStream> streams = {
      {Bytes(40, 0xff), 10},
      {{8, 0, 10, 2, 2, 0}, 10},                                // no miniblocks
      {{0, 1, 10, 2, 2, 0}, 10},                                // miniblocks of nothing
      {{12, 1, 10, 2, 2, 0}, 10},                               // of 12 deltas
      {{16, 3, 10, 2, 2, 0}, 10},                               // of a third of 16
      {{0x80, 0x80, 0x80, 0x80, 0x08, 1, 10, 2, 2, 0}, 10},     // a block of 2^31
      {{8, 1, 0x80, 0x80, 0x80, 0x80, 0x08, 2, 2, 0}, 10},      // 2^31 values
      {{8, 1, 10, 2, 2, 65, 0, 0, 0, 0}, 10},                   // 65 bits
      {{0xf8, 0xff, 0xff, 0xff, 7, 1, 10, 2, 2, 0}, 10},        // a miniblock of 2^31 - 8 deltas of no bits
      {{0xf8, 0xff, 0xff, 0xff, 7, 1, 10, 2, 2, 64, 0, 0}, 10}  // and of 64 bits
  };
  using enum PageStatus;
  const std::vector<PageStatus> expected = {EndsEarly, BadLength, BadLength, BadLength, BadLength,
                                            BadLength, BadLength, BadWidth,  Sound,     EndsEarly};
  EXPECT_EQ(compare_with_host<uint64_t>(GetParam(), streams), expected);
}

TEST_P(ExpandDeltas, SurvivesDamage) {
  std::mt19937 random(9);
  const HostStream whole = some_stream(60, 6, {2, 8});
  std::vector<HostStream> streams;
  for (int trial = 0; trial < 16; ++trial) {
    HostStream damaged = whole;
    for (uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
      damaged.data[random() % damaged.data.size()] = static_cast<uint8_t>(random());
    }
    streams.push_back(damaged);
  }
  compare_with_host<uint64_t>(GetParam(), streams);
}

TEST(ExpandDeltasValues, RefusesOtherWidthsOfValues) {
  TestDevice device(emulator::test_orders().front());
  EXPECT_THROW(expand_deltas(device.stream(), 2, nullptr, 1, nullptr), Error);
}

INSTANTIATE_TEST_SUITE_P(Orders, ExpandDeltas, testing::ValuesIn(emulator::test_orders()));

}  // namespace
}  // namespace accelerant::device
