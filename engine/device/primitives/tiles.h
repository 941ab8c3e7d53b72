#pragma once

#include "device/kernels/look_back.h"
#include "device/stream.h"

#include <cstdint>

namespace accelerant::device {

/// The workspace of primitives that look back over tiles: a ticket, and a sum for each tile.
inline int64_t tiles_workspace_bytes(int64_t num_tiles) {
  return static_cast<int64_t>(sizeof(uint64_t)) + num_tiles * static_cast<int64_t>(sizeof(kernels::TileSum));
}

/// Enqueues what makes a workspace ready, and returns where its parts are.
inline kernels::Tiles prepare_tiles(DeviceStream& stream, void* workspace, int64_t num_tiles) {
  stream.fill(workspace, 0, tiles_workspace_bytes(num_tiles));
  auto* ticket = static_cast<uint64*>(workspace);
  return {ticket, reinterpret_cast<kernels::TileSum*>(ticket + 1)};
}

}  // namespace accelerant::device
