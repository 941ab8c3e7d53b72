#include "operators/sorted_run.h"

#include "base/error.h"
#include "operators/buffered_rows.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

namespace accelerant::operators {

using columns::Batch;
using columns::ColumnPtr;
using memory::Buffer;

namespace {

using Entry = SortedRun::Entry;
using Entries = std::span<Entry>;

/// Below it, comparing takes less time than counting.
constexpr size_t kRadixRows = 256;
constexpr size_t kDigits = 256;

/// Where the rows of each digit begin.
using Places = std::array<size_t, kDigits>;

size_t digit_of(uint64_t prefix, int shift) { return static_cast<size_t>(prefix >> shift & (kDigits - 1)); }

Places count_places(Entries entries, int shift) {
  Places places{};
  for (const Entry& entry : entries) ++places[digit_of(entry.prefix, shift)];
  size_t before = 0;
  for (size_t& place : places) before += std::exchange(place, before);
  return places;
}

/// Sorts by prefix, by the bytes that are not the same in all of them; stable. `scratch` is as long as `entries`.
void radix_sort(Entries entries, Entry* scratch, const execution::Cancellation& cancellation) {
  uint64_t differing = 0;
  for (const Entry& entry : entries) differing |= entry.prefix ^ entries.front().prefix;
  Entry* from = entries.data();
  Entry* to = scratch;
  for (int shift = 0; shift < 64; shift += 8) {
    if (digit_of(differing, shift) == 0) continue;
    cancellation.check();
    Places places = count_places({from, entries.size()}, shift);
    for (size_t i = 0; i < entries.size(); ++i) to[places[digit_of(from[i].prefix, shift)]++] = from[i];
    std::swap(from, to);
  }
  if (from != entries.data()) std::copy_n(from, entries.size(), entries.data());
}

/// Calls `visit` with each of the longest stretches of entries, two or more, that are the same.
template <class AreSame, class Visit>
void for_each_tie(Entries entries, AreSame are_same, Visit visit) {
  for (size_t first = 0; first < entries.size();) {
    size_t end = first + 1;
    while (end < entries.size() && are_same(entries[first], entries[end])) ++end;
    if (end - first > 1) visit(entries.subspan(first, end - first));
    first = end;
  }
}

}  // namespace

/// Sorts entries key by key: by prefix, then what has the same prefix by value, then what is equal by the next key.
class SortedRun::Sorter {
 public:
  Sorter(const KeyOrder& order, const std::vector<ColumnPtr>& columns, const execution::OperatorContext& ctx)
      : order_(order), columns_(columns), ctx_(ctx), prefixes_(order.keys().size()) {}

  /// Makes the entries of all rows, in the order of their keys.
  std::shared_ptr<Buffer> sort(const std::vector<Batch>& batches, int64_t num_rows) {
    const auto bytes = num_rows * static_cast<int64_t>(sizeof(Entry));
    auto buffer = Buffer::allocate(bytes, ctx_.budget);
    const Entries entries(buffer->mutable_as<Entry>(), static_cast<size_t>(num_rows));
    number(batches, entries);
    scratch_ = Buffer::allocate(bytes, ctx_.budget);
    sort_by(0, entries);
    return buffer;
  }

 private:
  /// The prefixes of a key, by row.
  struct Prefixes {
    memory::Reservation reservation;
    std::vector<uint64_t> values;
  };

  static void number(const std::vector<Batch>& batches, Entries entries) {
    int32_t row = 0;
    for (size_t batch = 0; batch < batches.size(); ++batch) {
      for (int64_t i = 0; i < batches[batch].num_rows; ++i, ++row) {
        entries[static_cast<size_t>(row)] = {0, row, static_cast<int32_t>(batch)};
      }
    }
  }

  const ColumnPtr& column_of(size_t key) const { return columns_[static_cast<size_t>(order_.keys()[key].column)]; }

  /// Sorts entries whose keys before `key` are equal, in the order of their rows.
  void sort_by(size_t key, Entries entries) {
    if (key == order_.keys().size()) return;
    // The prefix that stays is the first key's.
    const uint64_t first_prefix = entries.front().prefix;
    const std::vector<uint64_t>& prefixes = prefixes_of(key);
    for (Entry& entry : entries) entry.prefix = prefixes[static_cast<size_t>(entry.row)];
    sort_by_prefix(entries);
    const auto have_same_prefix = [](const Entry& a, const Entry& b) { return a.prefix == b.prefix; };
    for_each_tie(entries, have_same_prefix, [&](Entries tie) { settle(key, tie); });
    if (key == 0) return;
    for (Entry& entry : entries) entry.prefix = first_prefix;
  }

  /// Sorts entries whose prefixes of a key are equal.
  void settle(size_t key, Entries entries) {
    if (tells_apart(column_of(key)->type(), entries.front().prefix) || are_equal(key, entries)) {
      return sort_by(key + 1, entries);
    }
    std::stable_sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
      ctx_.cancellation->check();
      return compare(key, a, b) < 0;
    });
    const auto are_same = [&](const Entry& a, const Entry& b) { return compare(key, a, b) == 0; };
    for_each_tie(entries, are_same, [&](Entries tie) { sort_by(key + 1, tie); });
  }

  bool are_equal(size_t key, Entries entries) const {
    return std::all_of(entries.begin() + 1, entries.end(),
                       [&](const Entry& entry) { return compare(key, entries.front(), entry) == 0; });
  }

  int compare(size_t key, const Entry& a, const Entry& b) const {
    return order_.compare_key(key, columns_, a.row, columns_, b.row);
  }

  void sort_by_prefix(Entries entries) {
    if (entries.size() >= kRadixRows) {
      return radix_sort(entries, scratch_->mutable_as<Entry>(), *ctx_.cancellation);
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.prefix < b.prefix; });
  }

  const std::vector<uint64_t>& prefixes_of(size_t key) {
    std::optional<Prefixes>& known = prefixes_[key];
    if (!known) {
      ctx_.cancellation->check();
      const ColumnPtr& column = column_of(key);
      memory::Reservation reservation(ctx_.budget, column->length() * static_cast<int64_t>(sizeof(uint64_t)));
      known = Prefixes{std::move(reservation), key_prefixes(*column, order_.keys()[key])};
    }
    return known->values;
  }

  const KeyOrder& order_;
  const std::vector<ColumnPtr>& columns_;
  const execution::OperatorContext& ctx_;
  std::vector<std::optional<Prefixes>> prefixes_;  ///< by key, of those that were needed
  std::shared_ptr<Buffer> scratch_;
};

SortedRun::SortedRun(std::vector<Batch> batches, std::shared_ptr<const KeyOrder> order,
                     const execution::OperatorContext& ctx)
    : order_(std::move(order)) {
  for (const Batch& batch : batches) {
    morsels_.push_back(batch.morsel);
    num_rows_ += batch.num_rows;
  }
  if (num_rows_ > std::numeric_limits<int32_t>::max()) {
    throw Error(ErrorKind::Resource, "Sort holds at most 2,147,483,647 rows of a thread").at_plan_node(ctx.plan_node);
  }
  columns_ = concatenate_columns(batches, ctx);
  for (Batch& batch : batches) batch.columns.clear();
  entries_ = Sorter(*order_, columns_, ctx).sort(batches, num_rows_);
}

int SortedRun::compare_keys(const Entry& entry, const SortedRun& other_run, const Entry& other) const {
  if (entry.prefix != other.prefix) return entry.prefix < other.prefix ? -1 : 1;
  const auto first_column = static_cast<size_t>(order_->keys().front().column);
  const size_t first_key = tells_apart(columns_[first_column]->type(), entry.prefix) ? 1 : 0;
  return order_->compare(columns_, entry.row, other_run.columns_, other.row, first_key);
}

}  // namespace accelerant::operators
