#include "device/primitives/compact.h"

#include "base/bits.h"
#include "base/error.h"
#include "device/kernels/list.h"
#include "device/launch.h"
#include "device/primitives/tiles.h"

#include <limits>

namespace accelerant::device {

namespace {

using Kernel = kernels::Compact<128>;

/// At least one, which counts nothing.
int64_t num_tiles(int64_t num_rows) { return num_rows / Kernel::kTileRows + 1; }

}  // namespace

int64_t compact_workspace_bytes(int64_t num_rows) { return tiles_workspace_bytes(num_tiles(num_rows)); }

void compact(DeviceStream& stream, const uint8_t* bits, int64_t num_rows, int32_t* rows, int64_t* num_selected,
             void* workspace) {
  ACC_CHECK(num_rows <= std::numeric_limits<int32_t>::max());
  const int64_t tiles = num_tiles(num_rows);
  const kernels::Tiles places = prepare_tiles(stream, workspace, tiles);
  launch<Kernel>(stream, tiles, {bits, num_rows, rows, num_selected, places});
}

std::vector<int32_t> compact_on_host(const uint8_t* bits, int64_t num_rows) {
  std::vector<int32_t> rows;
  for (int64_t i = 0; i < num_rows; ++i) {
    if (bits::get(bits, i)) rows.push_back(static_cast<int32_t>(i));
  }
  return rows;
}

}  // namespace accelerant::device
