#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace accelerant::gpu_check {

/// What the program is told.
struct Options {
  bool help = false;
  bool is_emulated = false;   ///< --device emu
  double scale = 1;           ///< of TPC-H: 6 million rows each
  std::string json;           ///< a file for the figures; empty: none
  std::string only;           ///< part of the names of what is done; empty: all
  int64_t damaged_bytes = 0;  ///< --damage: what is copied to the host of so many bytes or more is changed; 0: nothing

  /// @throws Error User naming the word that is wrong
  static Options parse(const std::vector<std::string>& words);
};

/// Returns what --help prints.
const char* usage();

}  // namespace accelerant::gpu_check
