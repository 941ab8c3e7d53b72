#include "aggregates/held_rows.h"

#include <tuple>

namespace accelerant::aggregates {

void HeldRows::forget() {
  are_all_ = false;
  std::vector<Place>().swap(batches_);
  groups_ = memory::Array<int32_t>(budget_);
  batch_of_ = memory::Array<int32_t>(budget_);
  values_ = memory::Array<double>(budget_);
}

bool HeldRows::make_room(const GroupedRows& batch) {
  if (are_all_ && batch.partition < 0) forget();
  if (!are_all_) return false;
  reserve(std::min(groups_.size() + batch.num_rows, kMostRows));
  return true;
}

void HeldRows::reserve(int64_t num_rows) {
  if (num_rows <= groups_.capacity()) return;
  const int64_t capacity = std::max(num_rows, std::min(2 * groups_.capacity(), kMostRows));
  values_.reserve(capacity * num_values_);
  batch_of_.reserve(capacity);
  groups_.reserve(capacity);
}

void HeldRows::add(int32_t group, const double* values) {
  if (!are_all_) return;
  if (groups_.size() == kMostRows) return forget();
  groups_.push_back(group);
  batch_of_.push_back(static_cast<int32_t>(batches_.size()) - 1);
  values_.append({values, static_cast<size_t>(num_values_)});
}

void HeldRows::merge(const HeldRows& other, std::span<const int32_t> from, std::span<const int32_t> into) {
  if (!are_all_) return;
  if (!other.are_all_ || &other == this) return forget();
  if (from.empty() || other.groups_.empty()) return;
  std::vector<int32_t> found(static_cast<size_t>(std::ranges::max(from)) + 1, 0);
  for (size_t i = 0; i < from.size(); ++i) found[static_cast<size_t>(from[i])] = into[i];
  const auto group_into = [&](int32_t row) {
    const auto group = static_cast<size_t>(other.groups_[row]);
    return group < found.size() ? found[group] : 0;
  };
  int64_t num_rows = groups_.size();
  for (int32_t row = 0; row < other.groups_.size(); ++row) num_rows += group_into(row) != 0 ? 1 : 0;
  reserve(std::min(num_rows, kMostRows));
  const auto first_batch = static_cast<int32_t>(batches_.size());
  batches_.insert(batches_.end(), other.batches_.begin(), other.batches_.end());
  for (int32_t row = 0; row < other.groups_.size(); ++row) {
    if (group_into(row) == 0) continue;
    add(group_into(row), other.values_.data() + static_cast<int64_t>(row) * num_values_);
    if (!are_all_) return;
    batch_of_.back() = first_batch + other.batch_of_[row];
  }
}

std::vector<int32_t> HeldRows::rows_in_order() const {
  std::vector<int32_t> rows(static_cast<size_t>(groups_.size()));
  std::iota(rows.begin(), rows.end(), 0);
  // Rows of a batch were added in their order, by one worker.
  std::ranges::stable_sort(rows, {}, [&](int32_t row) {
    const Place& place = place_of(row);
    return std::tuple(groups_[row], place.partition, place.batch);
  });
  return rows;
}

}  // namespace accelerant::aggregates
