#include "operators/sorted_run.h"

#include "base/error.h"
#include "columns/gather.h"
#include "memory/array.h"
#include "operators/buffered_rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

namespace accelerant::operators {

using columns::Batch;
using columns::ColumnPtr;
using memory::Buffer;

namespace {

using KeyedRows = std::span<KeyedRow>;

/// Below it, comparing takes less time than counting.
constexpr size_t kRadixRows = 256;
/// Below it, moving rows one by one takes less time than anything else.
constexpr size_t kFewRows = 16;
constexpr int kBitsOfDigit = 8;
constexpr size_t kDigits = size_t{1} << kBitsOfDigit;
/// Fewer rows than so many bits count need no further digit.
constexpr int kBitsOfFewRows = 3;
/// Of long texts that begin alike, so many words are looked at one by one.
constexpr size_t kMostWords = 16;
/// A key that orders fewer of so many rows is seldom looked at.
constexpr int64_t kFewTies = 8;
/// What is done with so many rows takes no more than a millisecond or two.
constexpr size_t kBlockRows = 64 * 1024;

/// Looks at a cancellation once in so many rows, however few of them come at a time: a look takes as long as some
/// hundred rows.
class Looks {
 public:
  explicit Looks(const execution::Cancellation& cancellation) : cancellation_(cancellation) {}

  /// To be called before something is done with rows.
  void pass(size_t num_rows) {
    passed_ += num_rows;
    if (passed_ < kBlockRows) return;
    passed_ = 0;
    cancellation_.check();
  }

 private:
  const execution::Cancellation& cancellation_;
  size_t passed_ = kBlockRows;
};

/// Where the rows of each digit begin.
using Places = std::array<size_t, kDigits>;

/// Calls `visit` with stretches of rows, one after the other, between looks at the cancellation.
template <class Visit>
void for_each_block(KeyedRows rows, Looks& looks, Visit visit) {
  for (size_t first = 0; first < rows.size(); first += kBlockRows) {
    const KeyedRows block = rows.subspan(first, std::min(kBlockRows, rows.size() - first));
    looks.pass(block.size());
    visit(block);
  }
}

size_t digit_of(uint64_t word, int shift) { return static_cast<size_t>(word >> shift & (kDigits - 1)); }

Places count_places(KeyedRows rows, int shift, Looks& looks) {
  Places places{};
  for_each_block(rows, looks, [&](KeyedRows block) {
    for (const KeyedRow& row : block) ++places[digit_of(row.word, shift)];
  });
  size_t before = 0;
  for (size_t& place : places) before += std::exchange(place, before);
  return places;
}

/// Returns the bits in which words are not all the same.
uint64_t differing_bits(KeyedRows rows, Looks& looks) {
  uint64_t differing = 0;
  for_each_block(rows, looks, [&, first = rows.front().word](KeyedRows block) {
    for (const KeyedRow& row : block) differing |= row.word ^ first;
  });
  return differing;
}

void insertion_sort(KeyedRows rows) {
  for (size_t i = 1; i < rows.size(); ++i) {
    const KeyedRow row = rows[i];
    size_t at = i;
    for (; at > 0 && row.word < rows[at - 1].word; --at) rows[at] = rows[at - 1];
    rows[at] = row;
  }
}

/// Calls `visit` with each of the longest stretches of rows, two or more, that are the same.
template <class AreSame, class Visit>
void for_each_tie(KeyedRows rows, Looks& looks, AreSame are_same, Visit visit) {
  for (size_t first = 0; first < rows.size();) {
    size_t end = first + 1;
    while (end < rows.size() && are_same(rows[first], rows[end])) {
      if (++end % kBlockRows == 0) looks.pass(kBlockRows);
    }
    looks.pass(end - first);
    if (end - first > 1) visit(rows.subspan(first, end - first));
    first = end;
  }
}

void sort_by_word(KeyedRows rows, KeyedRow* scratch, Looks& looks);

/// Sorts by word; stable. First by digits of the highest bits that differ, as many as tell most rows apart if they are
/// spread evenly; what is not told apart then is sorted by the bits below. `scratch` is as long as `rows`.
void radix_sort(KeyedRows rows, KeyedRow* scratch, Looks& looks) {
  const uint64_t differing = differing_bits(rows, looks);
  const int end = static_cast<int>(std::bit_width(differing));
  const int wanted = static_cast<int>(std::bit_width(rows.size())) - kBitsOfFewRows;
  const int first = std::max(0, end - (wanted + kBitsOfDigit - 1) / kBitsOfDigit * kBitsOfDigit);
  KeyedRow* from = rows.data();
  KeyedRow* to = scratch;
  for (int shift = first; shift < end; shift += kBitsOfDigit) {
    if (digit_of(differing, shift) == 0) continue;
    Places places = count_places({from, rows.size()}, shift, looks);
    for_each_block({from, rows.size()}, looks, [&](KeyedRows block) {
      for (const KeyedRow& row : block) to[places[digit_of(row.word, shift)]++] = row;
    });
    std::swap(from, to);
  }
  if (from != rows.data()) {
    for_each_block({from, rows.size()}, looks,
                   [&, next = rows.data()](KeyedRows block) mutable { next = std::ranges::copy(block, next).out; });
  }
  if (first == 0) return;
  const auto have_same_digits = [&](const KeyedRow& a, const KeyedRow& b) {
    return a.word >> first == b.word >> first;
  };
  for_each_tie(rows, looks, have_same_digits, [&](KeyedRows tie) { sort_by_word(tie, scratch, looks); });
}

/// Sorts by word; stable, of rows that come by their numbers where words are the same.
void sort_by_word(KeyedRows rows, KeyedRow* scratch, Looks& looks) {
  if (rows.size() < kFewRows) return insertion_sort(rows);
  if (rows.size() >= kRadixRows) return radix_sort(rows, scratch, looks);
  std::ranges::sort(rows, {}, [](const KeyedRow& row) { return std::pair(row.word, row.row); });
}

}  // namespace

/// Sorts rows by the first keys at once, which are packed to a word. Then key by key: by its first word, then what has
/// the same word by the next one or by value, then what is equal by the next key.
class SortedRun::Sorter {
 public:
  Sorter(const KeyOrder& order, const std::vector<ColumnPtr>& columns, const KeyPacking& packing,
         const execution::OperatorContext& ctx)
      : order_(order),
        columns_(columns),
        packing_(packing),
        ctx_(ctx),
        looks_(*ctx.cancellation),
        num_ordered_by_(order.keys().size()) {}

  /// Returns all rows in the order of their keys, with the words of their packed keys, or, where none are packed, with
  /// the first words of their first keys.
  std::shared_ptr<Buffer> sort(int64_t num_rows) {
    const auto bytes = num_rows * static_cast<int64_t>(sizeof(KeyedRow));
    auto buffer = Buffer::allocate(bytes, ctx_.budget);
    const KeyedRows rows(buffer->mutable_as<KeyedRow>(), static_cast<size_t>(num_rows));
    number(rows);
    scratch_ = Buffer::allocate(bytes, ctx_.budget);
    if (packing_.num_keys() > 0) {
      sort_by_packed(rows);
    } else {
      sort_by(0, 0, rows);
    }
    return buffer;
  }

  /// Returns how many rows a key had to order, as those before it did not.
  int64_t num_ordered_by(size_t key) const { return num_ordered_by_[key]; }

 private:
  void number(KeyedRows rows) {
    int32_t next = 0;
    for_each_block(rows, looks_, [&](KeyedRows block) {
      for (KeyedRow& row : block) row = {0, next++, 0};
    });
  }

  const columns::Column& column_of(size_t key) const {
    return *columns_[static_cast<size_t>(order_.keys()[key].column)];
  }

  void sort_by_packed(KeyedRows rows) {
    for_each_block(rows, looks_, [&](KeyedRows block) { packing_.pack(columns_, block); });
    sort_by_word(rows, scratch_->mutable_as<KeyedRow>(), looks_);
    for (size_t key = 1; key < packing_.num_keys(); ++key) {
      const auto have_same_keys = [&](const KeyedRow& a, const KeyedRow& b) {
        return packing_.first_of(a.word, key) == packing_.first_of(b.word, key);
      };
      for_each_tie(rows, looks_, have_same_keys,
                   [&](KeyedRows tie) { num_ordered_by_[key] += static_cast<int64_t>(tie.size()); });
    }
    if (packing_.num_keys() == order_.keys().size()) return;
    const auto have_same_word = [](const KeyedRow& a, const KeyedRow& b) { return a.word == b.word; };
    for_each_tie(rows, looks_, have_same_word, [&](KeyedRows tie) { sort_by(packing_.num_keys(), 0, tie); });
  }

  /// Sorts rows that are equal by the keys before and by the words before the `depth`th, and come in their first order.
  void sort_by(size_t key, size_t depth, KeyedRows rows) {
    if (key == order_.keys().size()) return;
    if (depth == 0) num_ordered_by_[key] += static_cast<int64_t>(rows.size());
    const uint64_t word_before = rows.front().word;
    for_each_block(rows, looks_,
                   [&](KeyedRows block) { set_key_words(column_of(key), order_.keys()[key], depth, block); });
    sort_by_word(rows, scratch_->mutable_as<KeyedRow>(), looks_);
    const auto have_same_word = [](const KeyedRow& a, const KeyedRow& b) { return a.word == b.word; };
    for_each_tie(rows, looks_, have_same_word, [&](KeyedRows tie) { settle(key, depth, tie); });
    // The words that stay are the first ones.
    if (key == 0 && depth == 0) return;
    for (KeyedRow& row : rows) row.word = word_before;
  }

  /// Sorts rows that have the same word.
  void settle(size_t key, size_t depth, KeyedRows rows) {
    switch (same_word(column_of(key).type(), order_.keys()[key], rows.front().word)) {
      case SameWord::Equal:
        return sort_by(key + 1, 0, rows);
      case SameWord::GoOn:
        return depth < kMostWords ? sort_by(key, depth + 1, rows) : sort_by_value(key, rows);
      case SameWord::Unknown:
        return sort_by_value(key, rows);
    }
  }

  void sort_by_value(size_t key, KeyedRows rows) {
    const auto is_first = [&](const KeyedRow& row) { return compare(key, rows.front(), row) == 0; };
    if (std::ranges::all_of(rows, is_first)) return sort_by(key + 1, 0, rows);
    std::stable_sort(rows.begin(), rows.end(), [&](const KeyedRow& a, const KeyedRow& b) {
      looks_.pass(1);
      return compare(key, a, b) < 0;
    });
    const auto are_same = [&](const KeyedRow& a, const KeyedRow& b) { return compare(key, a, b) == 0; };
    for_each_tie(rows, looks_, are_same, [&](KeyedRows tie) { sort_by(key + 1, 0, tie); });
  }

  int compare(size_t key, const KeyedRow& a, const KeyedRow& b) const {
    return order_.compare_key(key, columns_, a.row, columns_, b.row);
  }

  const KeyOrder& order_;
  const std::vector<ColumnPtr>& columns_;
  const KeyPacking& packing_;
  const execution::OperatorContext& ctx_;
  Looks looks_;
  std::shared_ptr<Buffer> scratch_;
  std::vector<int64_t> num_ordered_by_;
};

RunRows::RunRows(const std::vector<Batch>& from, const execution::OperatorContext& ctx) {
  for (const Batch& batch : from) {
    batches.push_back({num_rows, batch.morsel});
    num_rows += batch.num_rows;
  }
  if (num_rows > std::numeric_limits<int32_t>::max()) {
    throw Error(ErrorKind::Unsupported, "Sort holds at most 2,147,483,647 rows of a thread")
        .at_plan_node(ctx.plan_node);
  }
  columns = concatenate_columns(from, ctx);
}

RunRows::RunRows(const RunRows& rows, std::span<const int32_t> chosen, const execution::OperatorContext& ctx)
    : num_rows(static_cast<int64_t>(chosen.size())) {
  for (const ColumnPtr& column : rows.columns) {
    std::vector<ColumnPtr> parts;
    for (size_t first = 0; first < chosen.size(); first += kBlockRows) {
      ctx.cancellation->check();
      const auto block = chosen.subspan(first, std::min(kBlockRows, chosen.size() - first));
      parts.push_back(columns::gather(*column, block, ctx.budget));
    }
    columns.push_back(columns::concatenate(parts, ctx.budget, ctx.cancellation));
  }
  for (const BatchPlace& batch : rows.batches) {
    const auto first = std::ranges::lower_bound(chosen, batch.first_row);
    batches.push_back({first - chosen.begin(), batch.morsel});
  }
}

MorselOfRow::MorselOfRow(const RunRows& rows) : batches_(&rows.batches) {
  uint32_t batch = 0;
  for (size_t row = 0; static_cast<int64_t>(row) < rows.num_rows; row += kStretch) {
    while (batch + 1 < batches_->size() && (*batches_)[batch + 1].first_row <= static_cast<int64_t>(row)) ++batch;
    batches_before_.push_back(batch);
  }
  batches_before_.push_back(static_cast<uint32_t>(batches_->size() - 1));
}

std::vector<Batch> RunRows::as_batches() const {
  std::vector<Batch> parts;
  for (size_t i = 0; i < batches.size(); ++i) {
    const int64_t end = i + 1 < batches.size() ? batches[i + 1].first_row : num_rows;
    if (end == batches[i].first_row) continue;
    Batch& part = parts.emplace_back();
    part.morsel = batches[i].morsel;
    part.num_rows = end - batches[i].first_row;
    for (const ColumnPtr& column : columns) part.columns.push_back(column->slice(batches[i].first_row, part.num_rows));
  }
  return parts;
}

SortedRun::SortedRun(RunRows rows, std::shared_ptr<const KeyOrder> order, const execution::OperatorContext& ctx)
    : key_order_(std::move(order)),
      rows_(std::move(rows)),
      key_spans_(*key_order_, rows_.columns, rows_.num_rows, *ctx.cancellation) {
  const KeyPacking packing(*key_order_, key_spans_);
  Sorter sorter(*key_order_, rows_.columns, packing, ctx);
  keep(*sorter.sort(rows_.num_rows), packing, ctx);
  // Where many rows are tied, so they will be with those of other runs.
  for (size_t key = 1; key < key_order_->keys().size(); ++key) {
    if (sorter.num_ordered_by(key) >= rows_.num_rows / kFewTies) keep_words(key, ctx);
  }
}

SortedRun::SortedRun(RunRows rows, std::shared_ptr<const KeyOrder> order, const KeySpans& key_spans,
                     memory::BufferPtr row_order)
    : key_order_(std::move(order)), rows_(std::move(rows)), key_spans_(key_spans), order_(std::move(row_order)) {}

std::unique_ptr<const SortedRun> SortedRun::choose(std::span<const int32_t> places,
                                                   const execution::OperatorContext& ctx) const {
  constexpr int32_t kNone = -1;
  const auto* rows_in_order = order_->as<int32_t>();
  memory::Array<int32_t> numbers(ctx.budget);
  numbers.resize(num_rows(), kNone);
  for (size_t i = 0; i < places.size(); ++i) {
    if (i % kBlockRows == 0) ctx.cancellation->check();
    numbers[rows_in_order[places[i]]] = 0;
  }
  memory::Array<int32_t> chosen(ctx.budget);
  chosen.reserve(static_cast<int64_t>(places.size()));
  for (int32_t row = 0; row < num_rows(); ++row) {
    if (row % static_cast<int32_t>(kBlockRows) == 0) ctx.cancellation->check();
    if (numbers[row] == kNone) continue;
    numbers[row] = static_cast<int32_t>(chosen.size());
    chosen.push_back(row);
  }
  RunRows kept(rows_, chosen.span(), ctx);
  const auto order = Buffer::allocate(kept.num_rows * static_cast<int64_t>(sizeof(int32_t)), ctx.budget);
  for (size_t i = 0; i < places.size(); ++i) {
    if (i % kBlockRows == 0) ctx.cancellation->check();
    order->mutable_as<int32_t>()[i] = numbers[rows_in_order[places[i]]];
  }
  return std::unique_ptr<const SortedRun>(new SortedRun(std::move(kept), key_order_, key_spans_, order));
}

void SortedRun::keep(const Buffer& sorted, const KeyPacking& packing, const execution::OperatorContext& ctx) {
  const auto order = Buffer::allocate(rows_.num_rows * static_cast<int64_t>(sizeof(int32_t)), ctx.budget);
  const auto words = Buffer::allocate(rows_.num_rows * static_cast<int64_t>(sizeof(uint64_t)), ctx.budget);
  auto* next_row = order->mutable_as<int32_t>();
  auto* next_word = words->mutable_as<uint64_t>();
  const std::span<const KeyedRow> all(sorted.as<KeyedRow>(), static_cast<size_t>(rows_.num_rows));
  for (size_t first = 0; first < all.size(); first += kBlockRows) {
    ctx.cancellation->check();
    for (const KeyedRow& row : all.subspan(first, std::min(kBlockRows, all.size() - first))) {
      *next_row++ = row.row;
      *next_word++ = packing.num_keys() > 0 ? packing.word_of_key(row.word, 0) : row.word;
    }
  }
  order_ = order;
  words_.resize(key_order_->keys().size());
  if (!words_.empty()) words_.front() = words;
}

void SortedRun::keep_words(size_t key, const execution::OperatorContext& ctx) {
  const plan::SortKey& described = key_order_->keys()[key];
  const columns::Column& column = *rows_.columns[static_cast<size_t>(described.column)];
  if (column.type().is_nested()) return;
  const auto words = Buffer::allocate(rows_.num_rows * static_cast<int64_t>(sizeof(uint64_t)), ctx.budget);
  const std::span<const int32_t> rows(order_->as<int32_t>(), static_cast<size_t>(rows_.num_rows));
  for (size_t first = 0; first < rows.size(); first += kBlockRows) {
    ctx.cancellation->check();
    const auto block = rows.subspan(first, std::min(kBlockRows, rows.size() - first));
    write_key_words(column, described, block, words->mutable_as<uint64_t>() + first);
  }
  words_[key] = words;
}

void SortedRun::drop_words() const {
  Words dropped;
  const std::lock_guard lock(mutex_);
  dropped.swap(words_);
}

int64_t SortedRun::morsel_of(int32_t row) const {
  return std::prev(std::ranges::upper_bound(rows_.batches, row, {}, &RunRows::BatchPlace::first_row))->morsel;
}

SortedRun::View::View(const SortedRun& run) : run_(&run), order_(run.order_->as<int32_t>()) {
  const std::lock_guard lock(run.mutex_);
  words_ = run.words_;
}

int SortedRun::View::compare_keys(int64_t place, const View& other, int64_t other_place, size_t num_keys) const {
  const KeyOrder& order = *run_->key_order_;
  for (size_t key = 0; key < num_keys; ++key) {
    const uint64_t* words = words_of(key);
    const uint64_t* other_words = other.words_of(key);
    if (words && other_words) {
      const uint64_t word = words[place];
      const uint64_t other_word = other_words[other_place];
      if (word != other_word) return word < other_word ? -1 : 1;
      const plan::SortKey& described = order.keys()[key];
      const types::DataType& type = run_->columns()[static_cast<size_t>(described.column)]->type();
      if (same_word(type, described, word) == SameWord::Equal) continue;
    }
    const int found =
        order.compare_key(key, run_->columns(), row(place), other.run_->columns(), other.row(other_place));
    if (found != 0) return found;
  }
  return 0;
}

}  // namespace accelerant::operators
