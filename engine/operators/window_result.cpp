#include "operators/window_result.h"

#include "columns/gather.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace accelerant::operators {

using columns::ColumnPtr;

namespace {

/// Replaces values that were not found by defaults, row by row.
ColumnPtr with_defaults(ColumnPtr values, ColumnPtr defaults, std::span<const int32_t> places,
                        const std::shared_ptr<memory::Budget>& budget) {
  std::vector<int32_t> chosen;
  for (size_t i = 0; i < places.size(); ++i) {
    chosen.push_back(static_cast<int32_t>(places[i] == WindowResult::kNone ? places.size() + i : i));
  }
  const std::array<ColumnPtr, 2> parts = {std::move(values), std::move(defaults)};
  return columns::gather(*columns::concatenate(parts, budget), chosen, budget);
}

}  // namespace

ColumnPtr WindowResult::read(int64_t first, int64_t length, const std::shared_ptr<memory::Budget>& budget) const {
  first += num_before;
  if (!places) return values->slice(first, length);
  const std::span<const int32_t> wanted =
      std::span<const int32_t>(places->span()).subspan(static_cast<size_t>(first), static_cast<size_t>(length));
  ColumnPtr found = columns::gather_or_null(*values, wanted, budget);
  if (!defaults || std::ranges::find(wanted, kNone) == wanted.end()) return found;
  return with_defaults(std::move(found), defaults->slice(first, length), wanted, budget);
}

}  // namespace accelerant::operators
