#pragma once

#include "io/scan.h"
#include "plan/scan.h"

#include <cstdint>
#include <span>
#include <vector>

namespace accelerant::planner {

/// Returns the file partitions that a splits message has for `scan`.
/// @throws Error Internal when the message has none for it, or is malformed
std::vector<std::vector<io::FileSplit>> decode_scan_splits(std::span<const uint8_t> message, const plan::Scan& scan);

}  // namespace accelerant::planner
