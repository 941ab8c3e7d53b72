#include "io/file_splits.h"

#include <algorithm>

namespace accelerant::io {

namespace {

bool are_same_piece(const FileSplit& a, const FileSplit& b) {
  return a.path == b.path && a.start == b.start && a.length == b.length && a.file_size == b.file_size &&
         a.modification_millis == b.modification_millis && a.partition_values.empty() && b.partition_values.empty();
}

}  // namespace

int64_t total_bytes(std::span<const FileSplit> splits) {
  int64_t bytes = 0;
  for (const FileSplit& split : splits) bytes += split.length;
  return bytes;
}

bool are_same_pieces(const SplitPartitions& a, const SplitPartitions& b) {
  return std::ranges::equal(
      a, b, [](const auto& ours, const auto& theirs) { return std::ranges::equal(ours, theirs, are_same_piece); });
}

}  // namespace accelerant::io
