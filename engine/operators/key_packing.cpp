#include "operators/key_packing.h"

#include "operators/key_words.h"

#include <algorithm>
#include <bit>

namespace accelerant::operators {

using columns::Column;
using columns::ColumnPtr;
using types::PhysicalType;

namespace {

constexpr uint64_t kGreatest = std::numeric_limits<uint64_t>::max();

/// What is done with so many rows takes no more than a millisecond.
constexpr int64_t kRowsOfBlock = 64 * 1024;

KeySpan span_of(const Column& column, const plan::SortKey& key, int64_t num_rows,
                const execution::Cancellation& cancellation) {
  KeySpan span;
  for (int64_t first = 0; first < num_rows; first += kRowsOfBlock) {
    cancellation.check();
    for_each_word(
        column, key, 0, static_cast<size_t>(std::min(kRowsOfBlock, num_rows - first)),
        [&](size_t i) { return first + static_cast<int64_t>(i); },
        [&](size_t, uint64_t word, bool is_null) {
          span.has_nulls |= is_null;
          span.least = std::min(span.least, is_null ? kGreatest : word);
          span.most = std::max(span.most, is_null ? 0 : word);
        });
  }
  return span;
}

/// Says whether words tell values apart, all of them in a span.
bool is_exact(const Column& column, const KeySpan& span) {
  if (column.type().is_nested() || column.physical() == PhysicalType::String) return false;
  // Decimals beyond 64 bits have the least and the greatest word.
  return column.physical() != PhysicalType::Int128 || (span.least > 0 && span.most < kGreatest);
}

/// Returns how far the greatest of a span's words is above the least.
uint64_t width_of(const KeySpan& span) { return span.most < span.least ? 0 : span.most - span.least; }

/// Returns the bits that a word and null take, more than a word has where it has no room for both.
int bits_taken_by(const KeySpan& span) {
  const uint64_t width = width_of(span);
  if (span.has_nulls && width == kGreatest) return KeyPacking::kBitsOfWord + 1;
  return static_cast<int>(std::bit_width(width + static_cast<uint64_t>(span.has_nulls)));
}

}  // namespace

KeySpans::KeySpans(const KeyOrder& order, std::span<const ColumnPtr> columns, int64_t num_rows,
                   const execution::Cancellation& cancellation)
    : has_rows_(num_rows > 0) {
  if (!has_rows_) return;
  int num_bits = 0;
  for (const plan::SortKey& key : order.keys()) {
    const Column& column = *columns[static_cast<size_t>(key.column)];
    if (!is_exact(column, {})) return;
    const KeySpan span = span_of(column, key, num_rows, cancellation);
    if (!is_exact(column, span)) return;
    of_keys_.push_back(span);
    // Those behind have no room in a word, among more rows even less.
    num_bits += bits_taken_by(span);
    if (num_bits > KeyPacking::kBitsOfWord) return;
  }
}

void KeySpans::add(const KeySpans& others) {
  if (!others.has_rows_) return;
  if (!has_rows_) {
    *this = others;
    return;
  }
  of_keys_.resize(std::min(of_keys_.size(), others.of_keys_.size()));
  for (size_t key = 0; key < of_keys_.size(); ++key) {
    const KeySpan& other = others.of_keys_[key];
    of_keys_[key].least = std::min(of_keys_[key].least, other.least);
    of_keys_[key].most = std::max(of_keys_[key].most, other.most);
    of_keys_[key].has_nulls |= other.has_nulls;
  }
}

KeyPacking::KeyPacking(const KeyOrder& order, const KeySpans& spans) {
  int num_bits = 0;
  for (size_t key = 0; key < spans.of_keys().size(); ++key) {
    const KeySpan& span = spans.of_keys()[key];
    if (num_bits + bits_taken_by(span) > kBitsOfWord) break;
    const bool nulls_first = order.keys()[key].nulls_first;
    const Part part{.key = order.keys()[key],
                    .least = span.least,
                    .code_of_least = static_cast<uint64_t>(span.has_nulls && nulls_first),
                    .has_nulls = span.has_nulls,
                    .code_of_null = nulls_first ? 0 : width_of(span) + 1,
                    .num_bits = bits_taken_by(span)};
    num_bits += part.num_bits;
    parts_.push_back(part);
  }
  for (Part& part : parts_) part.shift = num_bits -= part.num_bits;
}

template <class RowOf, class Word>
void KeyPacking::pack_rows(std::span<const ColumnPtr> columns, size_t num_rows, RowOf row_of, Word word) const {
  for (const Part& part : parts_) {
    // A shift by all bits of a word, where those behind have none, is no shift in C++.
    if (part.num_bits == 0) continue;
    for_each_word(*columns[static_cast<size_t>(part.key.column)], part.key, 0, num_rows, row_of,
                  [&](size_t i, uint64_t of_value, bool is_null) {
                    const uint64_t code = is_null ? part.code_of_null : of_value - part.least + part.code_of_least;
                    word(i) |= code << part.shift;
                  });
  }
}

void KeyPacking::pack(std::span<const ColumnPtr> columns, std::span<KeyedRow> rows) const {
  for (KeyedRow& row : rows) row.word = 0;
  pack_rows(
      columns, rows.size(), [&](size_t i) { return rows[i].row; }, [&](size_t i) -> uint64_t& { return rows[i].word; });
}

void KeyPacking::pack(std::span<const ColumnPtr> columns, int64_t first_row, int64_t num_rows, uint64_t* words) const {
  std::fill_n(words, num_rows, 0);
  pack_rows(
      columns, static_cast<size_t>(num_rows), [&](size_t i) { return first_row + static_cast<int64_t>(i); },
      [&](size_t i) -> uint64_t& { return words[i]; });
}

uint64_t KeyPacking::word_of_key(uint64_t packed, size_t key) const {
  const Part& part = parts_[key];
  const uint64_t code = part.num_bits == 0 ? 0 : packed >> part.shift & kGreatest >> (kBitsOfWord - part.num_bits);
  if (part.has_nulls && code == part.code_of_null) return part.key.nulls_first ? 0 : kGreatest;
  return code - part.code_of_least + part.least;
}

}  // namespace accelerant::operators
