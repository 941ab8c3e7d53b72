#include "device/primitives/update_groups.h"

#include "base/error.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <vector>

namespace accelerant::device {

namespace {

using kernels::GroupColumn;
using kernels::UpdatedRows;

/// Enough for any GPU to be full; a block takes more rows where there are more, and merges its states once.
constexpr int64_t kMostBlocks = 1024;
constexpr int64_t kRowsPerBlock = int64_t{4} * kUpdateThreads * kUpdateItems;

/// Sets how many groups have states in a block, all or none, and in how many copies, a lane of a warp at most.
void place_states(const GroupUpdate& update, UpdatedRows& rows) {
  const int64_t groups_per_block = kernels::kLocalUpdateWords / update.num_words;
  if (update.num_groups <= 0 || update.num_groups > groups_per_block) return;
  const auto copies = static_cast<uint64_t>(std::min<int64_t>(groups_per_block / update.num_groups, kWarpThreads));
  rows.num_local_groups = static_cast<int32_t>(update.num_groups);
  rows.num_copies = static_cast<int32_t>(std::bit_floor(copies));
}

}  // namespace

void update_groups(DeviceStream& stream, const KernelEntry& kernel, const GroupUpdate& update) {
  ACC_CHECK(update.num_rows <= std::numeric_limits<int32_t>::max());
  if (update.num_rows == 0) return;
  UpdatedRows rows = {update.groups, update.num_rows, 0, 1};
  place_states(update, rows);
  // As UpdateGroups::Arguments.
  static_assert(sizeof rows % alignof(GroupColumn) == 0);
  std::vector<char> arguments(sizeof rows + update.columns.size_bytes());
  std::memcpy(arguments.data(), &rows, sizeof rows);
  std::memcpy(arguments.data() + sizeof rows, update.columns.data(), update.columns.size_bytes());
  const int64_t blocks = (update.num_rows + kRowsPerBlock - 1) / kRowsPerBlock;
  stream.launch(kernel, std::min(blocks, kMostBlocks), arguments.data());
}

}  // namespace accelerant::device
