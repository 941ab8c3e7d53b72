#include "aggregates/nested_slots.h"

#include "columns/gather.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace accelerant::aggregates {

using columns::ColumnPtr;

NestedSlots::NestedSlots(types::DataType type, std::shared_ptr<memory::Budget> budget)
    : type_(std::move(type)), budget_(std::move(budget)), place_(budget_) {}

void NestedSlots::set(std::span<const int32_t> groups, const columns::Column& column, std::span<const int32_t> rows) {
  if (groups.empty()) return;
  add(columns::copy_compact(*columns::gather(column, rows, budget_), budget_), groups);
}

void NestedSlots::copy(std::span<const int32_t> groups, const NestedSlots& from, std::span<const int32_t> from_groups) {
  if (groups.empty()) return;
  add(columns::copy_compact(*from.values_of(from_groups, budget_), budget_), groups);
}

void NestedSlots::add(ColumnPtr rows, std::span<const int32_t> groups) {
  const int32_t first = parts_.empty() ? 0 : parts_.back().end;
  parts_.push_back({first + static_cast<int32_t>(groups.size()), std::move(rows)});
  for (size_t i = 0; i < groups.size(); ++i) place_[groups[i]] = first + static_cast<int32_t>(i);
  if (parts_.back().end > 2 * place_.size() + kMostLeft) drop_left_rows();
}

void NestedSlots::drop_left_rows() {
  std::vector<int32_t> groups;
  for (int64_t group = 0; group < place_.size(); ++group) {
    if (place_[group] != kNone) groups.push_back(static_cast<int32_t>(group));
  }
  ColumnPtr rows = values_of(groups, budget_);
  parts_.clear();
  parts_.push_back({static_cast<int32_t>(groups.size()), std::move(rows)});
  for (size_t i = 0; i < groups.size(); ++i) place_[groups[i]] = static_cast<int32_t>(i);
}

std::vector<ColumnPtr> NestedSlots::gathered(std::span<const int32_t> places,
                                             const std::shared_ptr<memory::Budget>& budget) const {
  std::vector<ColumnPtr> found;
  std::vector<int32_t> rows;
  for (size_t next = 0; next < places.size();) {
    const auto part = std::ranges::upper_bound(parts_, places[next], {}, &Part::end);
    const int32_t first = part == parts_.begin() ? 0 : std::prev(part)->end;
    rows.clear();
    for (; next < places.size() && places[next] < part->end; ++next) rows.push_back(places[next] - first);
    found.push_back(columns::gather(*part->rows, rows, budget));
  }
  return found;
}

ColumnPtr NestedSlots::values_of(std::span<const int32_t> groups, const std::shared_ptr<memory::Budget>& budget) const {
  std::vector<int32_t> places;
  for (const int32_t group : groups) {
    if (place_[group] != kNone) places.push_back(place_[group]);
  }
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  if (places.empty()) {
    const auto length = static_cast<int64_t>(groups.size());
    return columns::flatten(columns::Column::nulls(type_, length, budget), budget);
  }
  const ColumnPtr values = columns::concatenate(gathered(places, budget), budget);
  std::vector<int32_t> rows;
  for (const int32_t group : groups) {
    const auto at = std::ranges::lower_bound(places, place_[group]);
    rows.push_back(place_[group] == kNone ? kNone : static_cast<int32_t>(at - places.begin()));
  }
  return columns::gather_or_null(*values, rows, budget);
}

}  // namespace accelerant::aggregates
