#include "operators/window_ranks.h"

#include "base/error.h"

namespace accelerant::operators {

using plan::WindowKind;

namespace {

/// Where a row stands in its window partition. Rows are counted from 0.
struct Standing {
  int64_t row;        ///< the row
  int64_t peer;       ///< the first row of equal order
  int64_t peer_end;   ///< the one behind the last row of equal order
  int64_t num_peers;  ///< how many different orders come before the row's
  int64_t size;       ///< of the partition
};

/// Calls `visit(row, standing)` with all rows.
template <class Visit>
void for_each_standing(const WindowRows& rows, size_t num_keys, const RankedBefore* before,
                       const execution::OperatorContext& ctx, const Visit& visit) {
  const RankedBefore passed = before ? *before : RankedBefore();
  const memory::Array<int32_t>& begins = rows.peers(num_keys);
  int64_t peers = -1;
  int64_t first_peers = 0;
  for_each_stretch(0, rows.num_rows(), ctx, [&](int32_t first, int32_t end) {
    for (int32_t row = first; row < end; ++row) {
      if (begins[peers + 1] <= row) ++peers;
      if (row == rows.partition_begin(row)) first_peers = peers;
      const int64_t begin = rows.partition_begin(row) - passed.num_rows;
      visit(row,
            Standing{row - begin, begins[peers] - begin, begins[peers + 1] - begin,
                     peers - first_peers + passed.num_peers, before ? passed.size : rows.partition_end(row) - begin});
    }
  });
}

/// Returns in which of some parts a row is. The first parts have one row more where they can't all have the same.
int64_t part_of(const Standing& at, int64_t num_parts) {
  const int64_t size = at.size / num_parts;
  const int64_t num_larger = at.size % num_parts;
  const int64_t in_larger = num_larger * (size + 1);
  return at.row < in_larger ? at.row / (size + 1) + 1 : num_larger + (at.row - in_larger) / size + 1;
}

int64_t number_of(const plan::WindowCall& call, const Standing& at) {
  if (call.kind == WindowKind::RowNumber) return at.row + 1;
  if (call.kind == WindowKind::Rank) return at.peer + 1;
  return call.kind == WindowKind::DenseRank ? at.num_peers + 1 : part_of(at, call.number);
}

double share_of(WindowKind kind, const Standing& at) {
  if (kind == WindowKind::CumeDist) return static_cast<double>(at.peer_end) / static_cast<double>(at.size);
  return at.size > 1 ? static_cast<double>(at.peer) / static_cast<double>(at.size - 1) : 0.0;
}

bool is_share(WindowKind kind) { return kind == WindowKind::PercentRank || kind == WindowKind::CumeDist; }

}  // namespace

bool is_rank(WindowKind kind) {
  return is_share(kind) || kind == WindowKind::RowNumber || kind == WindowKind::Rank || kind == WindowKind::DenseRank ||
         kind == WindowKind::NTile;
}

WindowResult compute_ranks(const plan::WindowCall& call, const WindowRows& rows, const execution::OperatorContext& ctx,
                           const RankedBefore* before) {
  columns::FlatBuilder builder(call.result_type, call.result_type.physical(), rows.num_rows(), ctx.budget);
  if (is_share(call.kind)) {
    ACC_CHECK(call.result_type.is(types::TypeId::Double));
    auto* shares = builder.values<double>();
    for_each_standing(rows, call.num_keys, before, ctx,
                      [&](int32_t row, const Standing& at) { shares[row] = share_of(call.kind, at); });
  } else {
    ACC_CHECK(call.result_type.is(types::TypeId::Int));
    auto* numbers = builder.values<int32_t>();
    for_each_standing(rows, call.num_keys, before, ctx, [&](int32_t row, const Standing& at) {
      numbers[row] = static_cast<int32_t>(number_of(call, at));
    });
  }
  WindowResult result;
  result.values = builder.finish();
  return result;
}

}  // namespace accelerant::operators
