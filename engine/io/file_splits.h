#pragma once

#include "io/scan.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace accelerant::io {

/// Pieces of files as Spark split them, by its partitions.
using SplitPartitions = std::vector<std::vector<FileSplit>>;

/// Returns the bytes of some splits.
int64_t total_bytes(std::span<const FileSplit> splits);

/// Says whether splits are the same pieces of the same files; false where partition values make a difference.
bool are_same_pieces(const SplitPartitions& a, const SplitPartitions& b);

/// Says whether a split has the part of its file that is known by a byte.
inline bool contains(const FileSplit& split, int64_t byte) {
  return byte >= split.start && byte - split.start < split.length;
}

/// Returns for each task the place of the first one of its partition.
/// @param tasks those of a partition stand together
template <class Task>
std::vector<int64_t> partition_starts(const std::vector<Task>& tasks) {
  std::vector<int64_t> starts;
  starts.reserve(tasks.size());
  for (size_t i = 0; i < tasks.size(); ++i) {
    const bool goes_on = i > 0 && tasks[i].partition == tasks[i - 1].partition;
    starts.push_back(goes_on ? starts.back() : static_cast<int64_t>(i));
  }
  return starts;
}

}  // namespace accelerant::io
