#include "device/primitives/group_rows.h"

#include "device/emulator/test_orders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace accelerant::device {
namespace {

using emulator::TestDevice;

class GroupRows : public testing::TestWithParam<emulator::Schedule> {};

using Words = std::vector<std::vector<uint64_t>>;

/// Keys of `num_keys` sorts, which differ in few bits; the last word differs most.
Words some_keys(int32_t num_words, int64_t n, uint64_t num_keys) {
  std::mt19937_64 random(static_cast<uint64_t>(n));
  Words words(static_cast<size_t>(num_words), std::vector<uint64_t>(static_cast<size_t>(n)));
  for (size_t row = 0; row < words[0].size(); ++row) {
    const uint64_t number = random() % num_keys;
    words[0][row] = number % 3 << 40;
    words.back()[row] = number;
  }
  return words;
}

/// A table on a device, of keys of some words, without groups.
DeviceGroupTable make_table(TestDevice& device, int32_t num_words, int64_t max_groups) {
  const DeviceGroupTable table = {num_words, max_groups, device.make<char>(group_table_bytes(num_words, max_groups))};
  clear_groups(device.stream(), table);
  return table;
}

/// Asks for the groups of rows.
std::vector<int32_t> groups_of(TestDevice& device, const DeviceGroupTable& table, const Words& words) {
  const auto n = static_cast<int64_t>(words[0].size());
  GroupKeys keys = {{}, n};
  for (size_t i = 0; i < words.size(); ++i) keys.words[i] = n == 0 ? nullptr : device.put(words[i]);
  auto* groups = device.make<int32_t>(n);
  group_rows(device.stream(), table, keys, groups);
  return device.get(groups, n);
}

uint64_t count_of(TestDevice& device, const DeviceGroupTable& table) { return device.get(num_groups_of(table), 1)[0]; }

/// Expects that groups have the keys of their rows; returns how many rows have one.
int64_t expect_keys(TestDevice& device, const DeviceGroupTable& table, const Words& words,
                    const std::vector<int32_t>& groups) {
  Words keys;
  const auto num_groups = std::min(static_cast<int64_t>(count_of(device, table)), table.max_groups);
  for (int32_t i = 0; i < table.num_words; ++i) keys.push_back(device.get(group_keys_of(table, i), num_groups));
  int64_t num_found = 0;
  for (size_t row = 0; row < groups.size(); ++row) {
    if (groups[row] < 0) continue;
    ++num_found;
    EXPECT_LT(groups[row], num_groups);
    for (size_t word = 0; word < keys.size(); ++word) {
      EXPECT_EQ(keys[word].at(static_cast<size_t>(groups[row])), words[word][row]) << "row " << row;
    }
  }
  return num_found;
}

int64_t num_keys_of(const Words& words) {
  const std::vector<int32_t> groups = group_rows_on_host(words);
  return groups.empty() ? 0 : *std::ranges::max_element(groups) + 1;
}

void compare_with_host(const emulator::Schedule& schedule, const Words& words, int64_t max_groups) {
  const auto n = static_cast<int64_t>(words[0].size());
  TestDevice device(schedule);
  const DeviceGroupTable table = make_table(device, static_cast<int32_t>(words.size()), max_groups);
  const std::vector<int32_t> groups = groups_of(device, table, words);
  EXPECT_EQ(expect_keys(device, table, words, groups), n);
  EXPECT_EQ(static_cast<int64_t>(count_of(device, table)), num_keys_of(words)) << n << " rows";
}

TEST_P(GroupRows, EqualsTheReference) {
  for (const int32_t num_words : {1, 2}) {
    for (const int64_t n : emulator::kTestSizes) {
      if (emulator::kTurnsAreSlow && n > 1000) continue;
      const Words few = some_keys(num_words, n, 7);
      compare_with_host(GetParam(), few, 7);
      compare_with_host(GetParam(), some_keys(num_words, n, 1000), 1000);
    }
  }
}

TEST_P(GroupRows, TakesAsManyGroupsAsRows) {
  Words words(1, std::vector<uint64_t>(emulator::kTurnsAreSlow ? 300 : 3000));
  for (size_t row = 0; row < words[0].size(); ++row) words[0][row] = ~uint64_t{0} - row;
  compare_with_host(GetParam(), words, static_cast<int64_t>(words[0].size()));
}

TEST_P(GroupRows, TakesOneGroup) { compare_with_host(GetParam(), {std::vector<uint64_t>(500, 0)}, 1); }

TEST_P(GroupRows, FindsWhatWasGroupedBefore) {
  TestDevice device(GetParam());
  const Words words = some_keys(2, 400, 90);
  const DeviceGroupTable table = make_table(device, 2, 100);
  const std::vector<int32_t> groups = groups_of(device, table, words);
  EXPECT_EQ(groups_of(device, table, words), groups);
}

TEST_P(GroupRows, SaysThatThereIsNoRoomAndGoesOnInALargerTable) {
  for (const int32_t num_words : {1, 2}) {
    TestDevice device(GetParam());
    const Words words = some_keys(num_words, 600, 200);
    const int64_t num_keys = num_keys_of(words);
    const DeviceGroupTable small = make_table(device, num_words, 37);
    const std::vector<int32_t> first = groups_of(device, small, words);
    EXPECT_GT(count_of(device, small), 37U);
    EXPECT_LT(expect_keys(device, small, words, first), 600);
    EXPECT_EQ(*std::ranges::max_element(first), 36);

    const DeviceGroupTable large = make_table(device, num_words, num_keys);
    move_groups(device.stream(), small, large);
    EXPECT_EQ(count_of(device, large), 37U);
    const std::vector<int32_t> second = groups_of(device, large, words);
    EXPECT_EQ(expect_keys(device, large, words, second), 600);
    EXPECT_EQ(static_cast<int64_t>(count_of(device, large)), num_keys);
    for (size_t row = 0; row < first.size(); ++row) {
      if (first[row] < 0) continue;
      EXPECT_EQ(second[row], first[row]) << "row " << row;
    }
  }
}

TEST(GroupTableBytes, AreWithinTheirBound) {
  for (const int64_t max_groups : {1, 2, 3, 1000, 1'000'000, 1'048'577}) {
    EXPECT_LE(group_table_bytes(1, max_groups), 72 * max_groups + 32);
    EXPECT_LE(group_table_bytes(2, max_groups), 112 * max_groups + 32);
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, GroupRows, testing::ValuesIn(emulator::test_orders()));

}  // namespace
}  // namespace accelerant::device
