#pragma once

#include "device/stream.h"

#include <cstdint>
#include <span>
#include <vector>

namespace accelerant::device {

/// A table that gives keys the numbers 0, 1, 2 … of their groups. It lies in memory of a device that its maker keeps.
struct DeviceGroupTable {
  int32_t num_words;   ///< of 64 bits, of a key: 1 or 2. Keys are equal where all words are: nulls are part of them
  int64_t max_groups;  ///< 1 to 2^30
  void* memory;        ///< group_table_bytes(num_words, max_groups), at a multiple of 32
};

/// The keys of rows, word by word, in device memory.
struct GroupKeys {
  const uint64_t* words[2];  ///< as many as keys have words
  int64_t num_rows;
};

/// Returns the bytes of a table's memory: not above 72 a group for keys of one word, 112 for two, and 32.
int64_t group_table_bytes(int32_t num_words, int64_t max_groups);

/// Enqueues what makes a table ready: it has no groups.
void clear_groups(DeviceStream& stream, const DeviceGroupTable& table);

/// Enqueues: groups[i] = the number of the group of row i's key; keys that the table does not have become groups. Which
/// key gets which number varies. Where there are more than `max_groups` keys, the first so many to come are groups,
/// rows of others, and maybe some of these, have -1, and *num_groups_of(table) is above `max_groups`; once the groups
/// have been moved to a larger table, the same rows can be asked for again.
void group_rows(DeviceStream& stream, const DeviceGroupTable& table, const GroupKeys& keys, int32_t* groups);

/// Enqueues: an empty table gets the groups of another, with their numbers. It has to have room for as many as the
/// other could have, and words as the other has.
void move_groups(DeviceStream& stream, const DeviceGroupTable& from, const DeviceGroupTable& to);

/// Returns the place, in device memory, of the number of groups; more than `max_groups` stands for `max_groups` and
/// says that there was no room for some key.
const uint64_t* num_groups_of(const DeviceGroupTable& table);
/// Returns the place, in device memory, of a word of each group's key, in the order of their numbers.
const uint64_t* group_keys_of(const DeviceGroupTable& table, int32_t word);

/// Returns the groups of rows on the host, as plainly as can be: numbers in the order of first rows. A span a word, 1
/// or 2.
std::vector<int32_t> group_rows_on_host(std::span<const std::vector<uint64_t>> words);

}  // namespace accelerant::device
