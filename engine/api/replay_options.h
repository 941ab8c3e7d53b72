#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace accelerant::api {

/// What `accelerant-replay` is asked to do.
struct ReplayOptions {
  std::string capture;
  std::vector<std::pair<std::string, std::string>>
      path_maps;                   ///< prefixes of local paths: as captured, as they are here
  std::string json;                ///< file for the report as JSON; empty: none
  std::optional<int64_t> threads;  ///< instead of what was captured
  std::optional<int64_t> batch_rows;
  std::optional<int64_t> memory_limit_bytes;
  std::optional<std::string> device;  ///< auto, cpu, gpu or emu
  int repeat = 1;
  std::optional<uint64_t> failed_reservations;  ///< seed of replay_with_failed_reservations
  bool fails_disk = false;                      ///< replay_with_failed_disk
  bool help = false;
  bool version = false;

  /// @throws Error User saying what is wrong with the arguments
  static ReplayOptions parse(std::span<const char* const> arguments);
};

/// Returns the text of --help.
const char* replay_usage();

/// Parses bytes with an optional suffix k, m, g or t (powers of 1024).
/// @throws Error User for anything else
int64_t parse_bytes(const std::string& text);

}  // namespace accelerant::api
