#pragma once

#include "io/file_writer.h"

#include <cstdint>
#include <span>

namespace accelerant::plan {

/// Decodes a write message (docs/design/plan-message.md) from bytes nobody vouches for. It has no types of columns:
/// they are those of the plan's output.
/// @throws Error Internal naming the place for anything malformed
io::WriteSpec decode_write(std::span<const uint8_t> bytes);

}  // namespace accelerant::plan
