#include "device/primitives/gather_strings.h"

#include "base/error.h"
#include "device/kernels/list.h"
#include "device/launch.h"

#include <limits>

namespace accelerant::device {

namespace {

constexpr int64_t kThreads = 128;

int64_t num_blocks(int64_t num_rows) { return (num_rows + kThreads - 1) / kThreads; }
int64_t num_tiles(int64_t num_bytes) { return (num_bytes + kernels::kStringTileBytes - 1) / kernels::kStringTileBytes; }

}  // namespace

void string_sizes(DeviceStream& stream, const int64_t* offsets, const int32_t* rows, int64_t num_rows, int32_t* sizes) {
  if (num_rows == 0) return;
  launch<kernels::StringSizes<kThreads>>(stream, num_blocks(num_rows), {offsets, rows, num_rows, sizes});
}

int64_t gather_strings_workspace_bytes(int64_t num_bytes) {
  return num_tiles(num_bytes) * static_cast<int64_t>(sizeof(int32_t));
}

void gather_strings(DeviceStream& stream, const StringGather& gather, void* workspace) {
  ACC_CHECK(gather.num_rows <= std::numeric_limits<int32_t>::max());
  if (gather.num_bytes == 0) return;
  auto* tile_rows = static_cast<int32_t*>(workspace);
  launch<kernels::FindTileRows<kThreads>>(stream, num_blocks(gather.num_rows),
                                          {gather.to_offsets, gather.num_rows, tile_rows});
  launch<kernels::GatherStrings>(stream, num_tiles(gather.num_bytes),
                                 {gather.offsets, gather.bytes, gather.rows, gather.num_rows, gather.to_offsets,
                                  gather.num_bytes, tile_rows, gather.to});
}

HostStrings gather_strings_on_host(const HostStrings& from, std::span<const int32_t> rows) {
  HostStrings to;
  for (const int32_t row : rows) {
    if (row >= 0) {
      const auto begin = from.bytes.begin() + from.offsets[static_cast<size_t>(row)];
      const auto end = from.bytes.begin() + from.offsets[static_cast<size_t>(row) + 1];
      to.bytes.insert(to.bytes.end(), begin, end);
    }
    to.offsets.push_back(static_cast<int64_t>(to.bytes.size()));
  }
  return to;
}

}  // namespace accelerant::device
