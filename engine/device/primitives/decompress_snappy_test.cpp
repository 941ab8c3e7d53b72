#include "device/primitives/decompress_snappy.h"

#include "device/emulator/test_orders.h"
#include "device/primitives/test_snappy.h"

#include <gtest/gtest.h>

#include <random>

namespace accelerant::device {
namespace {

using emulator::TestDevice;
using snappy::SnappyWriter;
using snappy::some_block;
using snappy::some_bytes;
using Bytes = std::vector<uint8_t>;

class DecompressSnappy : public testing::TestWithParam<emulator::Schedule> {};

/// A block to decompress, on the host.
struct HostBlock {
  Bytes from;
  size_t to_bytes;
};

/// Decompresses all blocks in one launch, compares each with the reference, and returns what was found.
std::vector<PageStatus> compare_with_host(const emulator::Schedule& schedule, const std::vector<HostBlock>& from) {
  TestDevice device(schedule);
  std::vector<SnappyBlock> blocks;
  for (const auto& [bytes, to_bytes] : from) {
    const auto room = static_cast<int64_t>(to_bytes);
    blocks.push_back({bytes.empty() ? nullptr : device.put(bytes), static_cast<int64_t>(bytes.size()),
                      device.make<uint8_t>(room), room});
  }
  const auto num_blocks = static_cast<int64_t>(blocks.size());
  auto* statuses = device.make<PageStatus>(num_blocks);
  decompress_snappy(device.stream(), device.put(blocks), num_blocks, statuses);
  const std::vector<PageStatus> found = device.get(statuses, num_blocks);
  for (size_t i = 0; i < from.size(); ++i) {
    Bytes expected(from[i].to_bytes);
    const bool is_sound = decompress_snappy_on_host(from[i].from, expected);
    EXPECT_EQ(found[i] == PageStatus::Sound, is_sound) << i;
    if (!is_sound) continue;
    EXPECT_EQ(device.get(blocks[i].to, blocks[i].to_bytes), expected) << i;
  }
  return found;
}

TEST_P(DecompressSnappy, EqualsTheReference) {
  std::vector<HostBlock> blocks = {{{0}, 0}};
  for (const int num_elements : {1, 2, 31, 32, 33, 60}) {
    const SnappyWriter writer = some_block(num_elements, static_cast<uint32_t>(num_elements));
    Bytes expected(writer.made().size());
    ASSERT_TRUE(decompress_snappy_on_host(writer.block(), expected));
    ASSERT_EQ(expected, writer.made());
    blocks.push_back({writer.block(), expected.size()});
  }
  for (const PageStatus status : compare_with_host(GetParam(), blocks)) EXPECT_EQ(status, PageStatus::Sound);
}

TEST_P(DecompressSnappy, CopiesAcrossQueuesAndIntoThemselves) {
  std::mt19937 random(3);
  SnappyWriter writer;
  writer.literal(some_bytes(2500, random), 2);
  for (int i = 0; i < 40; ++i) writer.copy(2500, 64, 2);
  for (size_t offset = 1; offset < 20; ++offset) writer.copy(offset, 64, 2);
  writer.copy(writer.made().size(), 64, 4);
  compare_with_host(GetParam(), {{writer.block(), writer.made().size()}});
}

TEST_P(DecompressSnappy, FindsWhatIsNoBlock) {
  const std::vector<HostBlock> blocks = {
      {{}, 10},
      {{0x80, 0x80}, 10},
      {Bytes(20, 0xff), 10},
      {{9}, 10},                                     // another length
      {{10}, 10},                                    // no elements
      {{10, 9 << 2, 1, 2}, 10},                      // ends in a literal
      {{10, 61 << 2, 1}, 10},                        // ends in its length
      {{10, 0, 1, 9 << 2 | 2, 2}, 10},               // ends in an offset
      {{10, 0, 1, 9 << 2 | 2, 2, 0}, 10},            // a copy of what is before the block
      {{10, 0, 1, 9 << 2 | 2, 0, 0}, 10},            // a copy of itself
      {{10, 0, 1, 63 << 2 | 2, 1, 0}, 10},           // beyond the end
      {{2, 3 << 2, 1, 2, 3, 4}, 2},                  // a literal beyond the end
      {{10, 63 << 2, 255, 255, 255, 255, 1, 2}, 10}  // of 4 GiB
  };
  using enum PageStatus;
  const std::vector<PageStatus> expected = {EndsEarly, EndsEarly, EndsEarly, BadLength, BadLength, EndsEarly, EndsEarly,
                                            EndsEarly, BadOffset, BadOffset, BadLength, BadLength, EndsEarly};
  EXPECT_EQ(compare_with_host(GetParam(), blocks), expected);
}

TEST_P(DecompressSnappy, SurvivesDamage) {
  std::mt19937 random(11);
  const SnappyWriter writer = some_block(20, 12);
  std::vector<HostBlock> blocks;
  for (int trial = 0; trial < 12; ++trial) {
    Bytes damaged = writer.block();
    for (uint64_t changes = 1 + random() % 4; changes > 0; --changes) {
      damaged[2 + random() % (damaged.size() - 2)] = static_cast<uint8_t>(random());
    }
    if (random() % 4 == 0) damaged.resize(random() % damaged.size());
    blocks.push_back({damaged, writer.made().size()});
  }
  compare_with_host(GetParam(), blocks);
}

INSTANTIATE_TEST_SUITE_P(Orders, DecompressSnappy, testing::ValuesIn(emulator::test_orders()));

}  // namespace
}  // namespace accelerant::device
