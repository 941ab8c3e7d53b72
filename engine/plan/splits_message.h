#pragma once

#include "plan/value.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace accelerant::plan {

/// A file, or a piece of one, that a scan reads.
struct MessageSplit {
  std::string_view path;            ///< URI as Spark has it
  int64_t start = 0;                ///< bytes
  int64_t length = 0;               ///< bytes
  int64_t file_size = 0;            ///< bytes
  int64_t modification_millis = 0;  ///< 0: unknown
  std::vector<FieldValue> partition_values;
  size_t path_at = 0;  ///< where the path's length stands in the message
};

/// The files of one scan.
struct MessageScan {
  int plan_node = -1;
  std::vector<std::vector<MessageSplit>> partitions;  ///< Spark's FilePartitions, in order
};

/// A decoded splits message (docs/design/plan-message.md). Owns what its views point to; movable.
struct SplitsMessage {
  std::vector<MessageScan> scans;
  std::unique_ptr<const std::vector<uint8_t>> storage;
};

/// Decodes bytes nobody vouches for; takes time and memory in proportion to their number.
/// @throws Error Unsupported for another format version, Internal naming the place for anything malformed
SplitsMessage decode_splits(std::span<const uint8_t> bytes);

/// Returns a splits message that differs only in the paths of its files.
/// @param rename gives the path that takes the place of one
/// @throws Error as decode_splits does
std::vector<uint8_t> with_paths(std::span<const uint8_t> bytes,
                                const std::function<std::string(std::string_view)>& rename);

}  // namespace accelerant::plan
