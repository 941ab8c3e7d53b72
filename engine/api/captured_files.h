#pragma once

#include "plan/capture.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accelerant::api {

/// Where captured files are on this machine.
class PathMap {
 public:
  /// @param prefixes of local paths or file: URIs: as captured, as they are here; the first that fits counts
  explicit PathMap(std::vector<std::pair<std::string, std::string>> prefixes);

  /// Returns the local path of a captured file.
  /// @throws Error Unsupported when it is not on a local file system
  std::string local(std::string_view captured) const;

 private:
  std::vector<std::pair<std::string, std::string>> prefixes_;
};

/// Checks that files are those of the capture, by size and by the hash of their end (docs/design/capture.md).
/// @throws Error User naming the first file that is missing or has changed, and how
void check_files(const std::vector<plan::CapturedFile>& files, const PathMap& paths);

/// Returns the hash of a file's end.
uint64_t tail_hash(const std::string& path, int64_t size_bytes);

/// Returns a file's bytes.
/// @throws Error User when it can't be read
std::vector<uint8_t> read_file(const std::string& path);

}  // namespace accelerant::api
