#include "device/primitives/exclusive_scan.h"

#include "device/kernels/list.h"
#include "device/launch.h"
#include "device/primitives/tiles.h"

namespace accelerant::device {

namespace {

template <class Value>
using Kernel = kernels::ExclusiveScan<Value, 128, 8>;

/// At least one, which writes the sum of nothing.
int64_t num_tiles(int64_t num_values) { return num_values / Kernel<int64>::kTileValues + 1; }

}  // namespace

int64_t exclusive_scan_workspace_bytes(int64_t num_values) { return tiles_workspace_bytes(num_tiles(num_values)); }

template <class Value>
void exclusive_scan(DeviceStream& stream, const Value* from, int64_t num_values, int64_t* to, void* workspace) {
  const int64_t tiles = num_tiles(num_values);
  launch<Kernel<Value>>(stream, tiles, {from, num_values, to, prepare_tiles(stream, workspace, tiles)});
}

template void exclusive_scan(DeviceStream&, const int32_t*, int64_t, int64_t*, void*);
template void exclusive_scan(DeviceStream&, const int64_t*, int64_t, int64_t*, void*);

}  // namespace accelerant::device
