#include "operators/sorted_run.h"

#include "base/error.h"
#include "operators/buffered_rows.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace accelerant::operators {

using columns::Batch;
using columns::ColumnPtr;
using memory::Buffer;

namespace {

using Rows = std::span<KeyedRow>;

/// Below it, comparing takes less time than counting.
constexpr size_t kRadixRows = 256;
/// Below it, moving rows one by one takes less time than anything else.
constexpr size_t kFewRows = 16;
constexpr size_t kDigits = 256;
/// Of long texts that begin alike, so many words are looked at one by one.
constexpr size_t kMostWords = 16;

/// Where the rows of each digit begin.
using Places = std::array<size_t, kDigits>;

size_t digit_of(uint64_t word, int shift) { return static_cast<size_t>(word >> shift & (kDigits - 1)); }

Places count_places(Rows rows, int shift) {
  Places places{};
  for (const KeyedRow& row : rows) ++places[digit_of(row.word, shift)];
  size_t before = 0;
  for (size_t& place : places) before += std::exchange(place, before);
  return places;
}

/// Sorts by word, by the bytes that are not the same in all of them; stable. `scratch` is as long as `rows`.
void radix_sort(Rows rows, KeyedRow* scratch, const execution::Cancellation& cancellation) {
  uint64_t differing = 0;
  for (const KeyedRow& row : rows) differing |= row.word ^ rows.front().word;
  KeyedRow* from = rows.data();
  KeyedRow* to = scratch;
  for (int shift = 0; shift < 64; shift += 8) {
    if (digit_of(differing, shift) == 0) continue;
    cancellation.check();
    Places places = count_places({from, rows.size()}, shift);
    for (size_t i = 0; i < rows.size(); ++i) to[places[digit_of(from[i].word, shift)]++] = from[i];
    std::swap(from, to);
  }
  if (from != rows.data()) std::copy_n(from, rows.size(), rows.data());
}

void insertion_sort(Rows rows) {
  for (size_t i = 1; i < rows.size(); ++i) {
    const KeyedRow row = rows[i];
    size_t at = i;
    for (; at > 0 && row.word < rows[at - 1].word; --at) rows[at] = rows[at - 1];
    rows[at] = row;
  }
}

/// Calls `visit` with each of the longest stretches of rows, two or more, that are the same.
template <class AreSame, class Visit>
void for_each_tie(Rows rows, AreSame are_same, Visit visit) {
  for (size_t first = 0; first < rows.size();) {
    size_t end = first + 1;
    while (end < rows.size() && are_same(rows[first], rows[end])) ++end;
    if (end - first > 1) visit(rows.subspan(first, end - first));
    first = end;
  }
}

}  // namespace

/// Sorts rows key by key: by its first word, then what has the same word by the next one or by value, then what is
/// equal by the next key.
class SortedRun::Sorter {
 public:
  Sorter(const KeyOrder& order, const std::vector<ColumnPtr>& columns, const execution::OperatorContext& ctx)
      : order_(order), columns_(columns), ctx_(ctx) {}

  /// Returns all rows in the order of their keys.
  std::shared_ptr<Buffer> sort(const std::vector<Batch>& batches, int64_t num_rows) {
    const auto bytes = num_rows * static_cast<int64_t>(sizeof(KeyedRow));
    auto buffer = Buffer::allocate(bytes, ctx_.budget);
    const Rows rows(buffer->mutable_as<KeyedRow>(), static_cast<size_t>(num_rows));
    number(batches, rows);
    scratch_ = Buffer::allocate(bytes, ctx_.budget);
    sort_by(0, 0, rows);
    return buffer;
  }

 private:
  static void number(const std::vector<Batch>& batches, Rows rows) {
    int32_t row = 0;
    for (size_t batch = 0; batch < batches.size(); ++batch) {
      for (int64_t i = 0; i < batches[batch].num_rows; ++i, ++row) {
        rows[static_cast<size_t>(row)] = {0, row, static_cast<int32_t>(batch)};
      }
    }
  }

  const columns::Column& column_of(size_t key) const {
    return *columns_[static_cast<size_t>(order_.keys()[key].column)];
  }

  /// Sorts rows that are equal by the keys before and by the words before the `depth`th, and come in their first order.
  void sort_by(size_t key, size_t depth, Rows rows) {
    if (key == order_.keys().size()) return;
    const uint64_t word_before = rows.front().word;
    set_key_words(column_of(key), order_.keys()[key], depth, rows);
    sort_by_word(rows);
    const auto have_same_word = [](const KeyedRow& a, const KeyedRow& b) { return a.word == b.word; };
    for_each_tie(rows, have_same_word, [&](Rows tie) { settle(key, depth, tie); });
    // The words that stay are the first ones.
    if (key == 0 && depth == 0) return;
    for (KeyedRow& row : rows) row.word = word_before;
  }

  /// Sorts rows that have the same word.
  void settle(size_t key, size_t depth, Rows rows) {
    switch (same_word(column_of(key).type(), order_.keys()[key], rows.front().word)) {
      case SameWord::Equal:
        return sort_by(key + 1, 0, rows);
      case SameWord::GoOn:
        return depth < kMostWords ? sort_by(key, depth + 1, rows) : sort_by_value(key, rows);
      case SameWord::Unknown:
        return sort_by_value(key, rows);
    }
  }

  void sort_by_value(size_t key, Rows rows) {
    const auto is_first = [&](const KeyedRow& row) { return compare(key, rows.front(), row) == 0; };
    if (std::ranges::all_of(rows, is_first)) return sort_by(key + 1, 0, rows);
    std::stable_sort(rows.begin(), rows.end(), [&](const KeyedRow& a, const KeyedRow& b) {
      ctx_.cancellation->check();
      return compare(key, a, b) < 0;
    });
    const auto are_same = [&](const KeyedRow& a, const KeyedRow& b) { return compare(key, a, b) == 0; };
    for_each_tie(rows, are_same, [&](Rows tie) { sort_by(key + 1, 0, tie); });
  }

  int compare(size_t key, const KeyedRow& a, const KeyedRow& b) const {
    return order_.compare_key(key, columns_, a.row, columns_, b.row);
  }

  void sort_by_word(Rows rows) {
    if (rows.size() < kFewRows) return insertion_sort(rows);
    if (rows.size() >= kRadixRows) return radix_sort(rows, scratch_->mutable_as<KeyedRow>(), *ctx_.cancellation);
    std::ranges::sort(rows, {}, [](const KeyedRow& row) { return std::pair(row.word, row.row); });
  }

  const KeyOrder& order_;
  const std::vector<ColumnPtr>& columns_;
  const execution::OperatorContext& ctx_;
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
  rows_ = Sorter(*order_, columns_, ctx).sort(batches, num_rows_);
}

int SortedRun::compare_keys(const KeyedRow& row, const SortedRun& other_run, const KeyedRow& other) const {
  if (row.word != other.word) return row.word < other.word ? -1 : 1;
  const plan::SortKey& first = order_->keys().front();
  const types::DataType& type = columns_[static_cast<size_t>(first.column)]->type();
  const size_t first_key = same_word(type, first, row.word) == SameWord::Equal ? 1 : 0;
  return order_->compare(columns_, row.row, other_run.columns_, other.row, first_key);
}

}  // namespace accelerant::operators
