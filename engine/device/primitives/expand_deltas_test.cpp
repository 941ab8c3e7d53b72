#include "device/primitives/expand_deltas.h"

#include "base/bits.h"
#include "base/error.h"
#include "device/emulator/test_orders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

namespace accelerant::device {
namespace {

using emulator::TestDevice;
using Bytes = std::vector<uint8_t>;
using Values = std::vector<int64_t>;

class ExpandDeltas : public testing::TestWithParam<emulator::Schedule> {};

void put_varint(Bytes& bytes, uint64_t number) {
  for (; number > 0x7f; number >>= 7) bytes.push_back(static_cast<uint8_t>(number | 0x80));
  bytes.push_back(static_cast<uint8_t>(number));
}
void put_signed(Bytes& bytes, int64_t number) {
  put_varint(bytes, static_cast<uint64_t>(number) << 1 ^ (number < 0 ? ~uint64_t{0} : 0));
}

void put_packed(Bytes& bytes, const std::vector<uint64_t>& numbers, int bit_width) {
  Bytes packed(numbers.size() * static_cast<size_t>(bit_width) / 8);
  for (size_t i = 0; i < numbers.size(); ++i) {
    for (int bit = 0; bit < bit_width; ++bit) {
      if ((numbers[i] >> bit) & 1) bits::set(packed.data(), static_cast<int64_t>(i) * bit_width + bit);
    }
  }
  bytes.insert(bytes.end(), packed.begin(), packed.end());
}

/// How a stream is cut up.
struct Cut {
  size_t num_miniblocks;
  size_t miniblock_size;
};

/// Appends the block of deltas from `first` on; those past the end are the least.
void put_block(Bytes& bytes, const std::vector<int64_t>& deltas, size_t first, const Cut& cut) {
  const size_t size = cut.num_miniblocks * cut.miniblock_size;
  const auto begin = deltas.begin() + static_cast<int64_t>(first);
  const size_t num_left = std::min(size, deltas.size() - first);
  const int64_t least = *std::min_element(begin, begin + static_cast<int64_t>(num_left));
  put_signed(bytes, least);
  std::vector<std::vector<uint64_t>> miniblocks(cut.num_miniblocks, std::vector<uint64_t>(cut.miniblock_size));
  for (size_t i = 0; i < num_left; ++i) {
    const uint64_t packed = static_cast<uint64_t>(deltas[first + i]) - static_cast<uint64_t>(least);
    miniblocks[i / cut.miniblock_size][i % cut.miniblock_size] = packed;
  }
  std::vector<int> widths;
  for (const auto& miniblock : miniblocks) {
    widths.push_back(std::bit_width(*std::max_element(miniblock.begin(), miniblock.end())));
    bytes.push_back(static_cast<uint8_t>(widths.back()));
  }
  for (size_t i = 0; i < miniblocks.size() && i * cut.miniblock_size < num_left; ++i) {
    put_packed(bytes, miniblocks[i], widths[i]);
  }
}

Bytes encode(const Values& values, const Cut& cut) {
  Bytes bytes;
  put_varint(bytes, cut.num_miniblocks * cut.miniblock_size);
  put_varint(bytes, cut.num_miniblocks);
  put_varint(bytes, values.size());
  put_signed(bytes, values.empty() ? 0 : values[0]);
  std::vector<int64_t> deltas;
  for (size_t i = 1; i < values.size(); ++i) {
    deltas.push_back(static_cast<int64_t>(static_cast<uint64_t>(values[i]) - static_cast<uint64_t>(values[i - 1])));
  }
  for (size_t i = 0; i < deltas.size(); i += cut.num_miniblocks * cut.miniblock_size) put_block(bytes, deltas, i, cut);
  return bytes;
}

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

/// Random values whose deltas have so many bits.
Values some_values(int64_t n, int bit_width) {
  std::mt19937_64 random(static_cast<uint64_t>(n));
  Values values(static_cast<size_t>(n));
  uint64_t value = random();
  for (int64_t& each : values) {
    value += bit_width == 0 ? 3 : (random() >> (64 - bit_width)) - (uint64_t{1} << (bit_width - 1));
    each = static_cast<int64_t>(value);
  }
  return values;
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
