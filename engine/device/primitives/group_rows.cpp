#include "device/primitives/group_rows.h"

#include "base/error.h"
#include "device/kernels/list.h"
#include "device/launch.h"

#include <algorithm>
#include <bit>
#include <map>

namespace accelerant::device {

namespace {

constexpr int64_t kThreads = 128;
constexpr int64_t kMostGroups = int64_t{1} << 30;
constexpr int64_t kWordBytes = sizeof(uint64_t);
/// Before the slots: the number of groups, and what aligns them.
constexpr int64_t kHeaderBytes = 32;

/// Enough for any GPU to be full; a block takes more rows where there are more.
constexpr int64_t kMostBlocks = 2048;
/// At least, so that a block soon knows the groups that are frequent.
constexpr int64_t kRowsPerBlock = 4 * kThreads;

int64_t parts_of(int64_t n, int64_t part) { return (n + part - 1) / part; }

/// At least half of the slots stay empty.
int64_t num_slots(const DeviceGroupTable& table) {
  return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * table.max_groups)));
}
int64_t slot_bytes(const DeviceGroupTable& table) { return (1 + table.num_words) * kWordBytes; }
/// What a table without groups has 0 in.
int64_t cleared_bytes(const DeviceGroupTable& table) { return kHeaderBytes + num_slots(table) * slot_bytes(table); }

uint64_t* keys_of(const DeviceGroupTable& table) {
  return reinterpret_cast<uint64_t*>(static_cast<char*>(table.memory) + cleared_bytes(table));
}

template <int32_t kNumWords>
kernels::GroupTableView<kNumWords> view_of(const DeviceGroupTable& table) {
  auto* slots = reinterpret_cast<kernels::GroupSlot<kNumWords>*>(static_cast<char*>(table.memory) + kHeaderBytes);
  return {slots, num_slots(table), table.max_groups, static_cast<uint64_t*>(table.memory), keys_of(table)};
}

void check(const DeviceGroupTable& table) {
  ACC_CHECK(table.num_words == 1 || table.num_words == 2);
  ACC_CHECK(table.max_groups > 0 && table.max_groups <= kMostGroups);
}

}  // namespace

int64_t group_table_bytes(int32_t num_words, int64_t max_groups) {
  const DeviceGroupTable table = {num_words, max_groups, nullptr};
  check(table);
  return cleared_bytes(table) + num_words * max_groups * kWordBytes;
}

void clear_groups(DeviceStream& stream, const DeviceGroupTable& table) {
  check(table);
  stream.fill(table.memory, 0, cleared_bytes(table));
}

void group_rows(DeviceStream& stream, const DeviceGroupTable& table, const GroupKeys& keys, int32_t* groups) {
  check(table);
  if (keys.num_rows == 0) return;
  const int64_t blocks = std::min(parts_of(keys.num_rows, kRowsPerBlock), kMostBlocks);
  if (table.num_words == 1) {
    return launch<kernels::GroupRows<1, kThreads>>(stream, blocks,
                                                   {{keys.words[0]}, keys.num_rows, view_of<1>(table), groups});
  }
  launch<kernels::GroupRows<2, kThreads>>(stream, blocks,
                                          {{keys.words[0], keys.words[1]}, keys.num_rows, view_of<2>(table), groups});
}

void move_groups(DeviceStream& stream, const DeviceGroupTable& from, const DeviceGroupTable& to) {
  check(from);
  check(to);
  ACC_CHECK(from.num_words == to.num_words && from.max_groups <= to.max_groups);
  const int64_t blocks = parts_of(from.max_groups, kThreads);
  if (from.num_words == 1) {
    return launch<kernels::MoveGroups<1, kThreads>>(stream, blocks, {view_of<1>(from), view_of<1>(to)});
  }
  launch<kernels::MoveGroups<2, kThreads>>(stream, blocks, {view_of<2>(from), view_of<2>(to)});
}

const uint64_t* num_groups_of(const DeviceGroupTable& table) { return static_cast<const uint64_t*>(table.memory); }

const uint64_t* group_keys_of(const DeviceGroupTable& table, int32_t word) {
  return keys_of(table) + word * table.max_groups;
}

std::vector<int32_t> group_rows_on_host(std::span<const std::vector<uint64_t>> words) {
  std::map<std::vector<uint64_t>, int32_t> groups;
  std::vector<int32_t> of_rows;
  for (size_t row = 0; row < words.front().size(); ++row) {
    std::vector<uint64_t> key;
    for (const std::vector<uint64_t>& word : words) key.push_back(word[row]);
    of_rows.push_back(groups.try_emplace(key, static_cast<int32_t>(groups.size())).first->second);
  }
  return of_rows;
}

}  // namespace accelerant::device
