#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace accelerant::api {

/// What a captured query has in it (docs/design/capture.md) but for its files, which are looked into as it is written.
struct CaptureSections {
  std::span<const uint8_t> plan;
  std::span<const uint8_t> splits;
  std::string_view options;
  std::string_view settings;
  std::string_view answer;
};

/// Writes `query-<execution>-<plan's hash>.accq` into a folder, which is created where it is missing; under another
/// name until all is written, which is deleted when that fails.
/// @throws Error Resource when the folder can't be written to, Internal for malformed splits
void write_capture(const std::string& folder, std::string_view execution, const CaptureSections& sections);

}  // namespace accelerant::api
