#include "device/primitives/radix_sort.h"

#include "base/error.h"
#include "device/kernels/list.h"
#include "device/launch.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace accelerant::device {

namespace {

using Count = kernels::CountDigits<256, 4>;
using Sort = kernels::SortByDigit<256, 8>;

/// Enough for any GPU to be full; a block counts more keys where there are more.
constexpr int64_t kMostCountingBlocks = 1024;
constexpr int64_t kKeysPerCountingBlock = 2 * Count::kTileKeys;
constexpr int64_t kCounts = kernels::kMostPasses * kernels::kNumDigits;

int64_t tiles_of(int64_t num_rows, int64_t tile_rows) { return (num_rows + tile_rows - 1) / tile_rows; }

/// At least one, which keeps the order where no bits count.
int32_t num_passes(int32_t num_bits) { return std::max(1, (num_bits + kernels::kDigitBits - 1) / kernels::kDigitBits); }

/// Keys in some order and the rows that go with them.
struct Rows {
  const uint64_t* keys;
  const int32_t* rows;
};
struct Place {
  uint64_t* keys;
  int32_t* rows;
};

/// The parts of a workspace: what is 0 at first, then a second place for keys and rows, where there are several passes.
class Workspace {
 public:
  Workspace(void* memory, int64_t num_rows) : tickets_(static_cast<uint64_t*>(memory)), num_rows_(num_rows) {}

  static int64_t cleared_bytes(int64_t num_rows) {
    const int64_t published = tiles_of(num_rows, Sort::kTileRows) * kernels::kNumDigits;
    return (kernels::kMostPasses + published) * static_cast<int64_t>(sizeof(uint64_t)) +
           kCounts * static_cast<int64_t>(sizeof(uint32_t));
  }
  static int64_t spare_bytes(int64_t num_rows) {
    return num_rows * static_cast<int64_t>(sizeof(uint64_t) + sizeof(int32_t));
  }

  void clear(DeviceStream& stream) const { stream.fill(tickets_, 0, cleared_bytes(num_rows_)); }
  uint64_t* ticket(int32_t pass) const { return tickets_ + pass; }
  uint32_t* counts(int32_t pass) const {
    return reinterpret_cast<uint32_t*>(tickets_ + kernels::kMostPasses) + pass * kernels::kNumDigits;
  }
  uint64_t* published() const { return reinterpret_cast<uint64_t*>(counts(kernels::kMostPasses)); }
  Place spare() const {
    uint64_t* keys = tickets_ + cleared_bytes(num_rows_) / static_cast<int64_t>(sizeof(uint64_t));
    return {keys, reinterpret_cast<int32_t*>(keys + num_rows_)};
  }

 private:
  uint64_t* tickets_;
  int64_t num_rows_;
};

}  // namespace

int64_t radix_sort_workspace_bytes(int64_t num_rows, int32_t num_bits) {
  return Workspace::cleared_bytes(num_rows) + (num_passes(num_bits) > 1 ? Workspace::spare_bytes(num_rows) : 0);
}

void radix_sort(DeviceStream& stream, const RadixSort& sort, void* workspace) {
  ACC_CHECK(sort.num_rows <= std::numeric_limits<int32_t>::max() && sort.num_bits >= 0 && sort.num_bits <= 64);
  if (sort.num_rows == 0) return;
  const Workspace places(workspace, sort.num_rows);
  places.clear(stream);
  const int32_t passes = num_passes(sort.num_bits);
  const int64_t counting_blocks = std::min(tiles_of(sort.num_rows, kKeysPerCountingBlock), kMostCountingBlocks);
  launch<Count>(stream, counting_blocks, {sort.keys, sort.num_rows, sort.num_bits, passes, places.counts(0)});
  Rows from = {sort.keys, sort.rows};
  for (int32_t pass = 0; pass < passes; ++pass) {
    // The last pass writes to the place of the result, those before it by turns.
    const bool is_result = (passes - pass) % 2 != 0;
    const Place to = is_result ? Place{sort.sorted_keys, sort.sorted_rows} : places.spare();
    launch<Sort>(stream, tiles_of(sort.num_rows, Sort::kTileRows),
                 {from.keys, from.rows, sort.num_rows, sort.num_bits, pass, to.keys, to.rows, places.counts(pass),
                  places.ticket(pass), places.published()});
    from = {to.keys, to.rows};
  }
}

std::vector<int32_t> radix_sort_on_host(std::span<const uint64_t> keys, int32_t num_bits) {
  const uint64_t mask = num_bits == 64 ? ~uint64_t{0} : (uint64_t{1} << num_bits) - 1;
  std::vector<int32_t> rows(keys.size());
  std::iota(rows.begin(), rows.end(), 0);
  std::ranges::stable_sort(rows, {}, [&](int32_t row) { return keys[static_cast<size_t>(row)] & mask; });
  return rows;
}

}  // namespace accelerant::device
