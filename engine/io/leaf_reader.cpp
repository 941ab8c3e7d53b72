#include "io/leaf_reader.h"

#include "base/bits.h"
#include "base/error.h"
#include "io/value_placement.h"

#include <string>
#include <utility>

namespace accelerant::io {

using columns::Column;
using columns::ColumnPtr;
using memory::Buffer;

namespace {

[[noreturn]] void fail(const char* what) { throw Error(ErrorKind::Resource, what); }

/// Writes one byte a place, 1 for a value, to `to`, which has room for one more.
void write_valid_bytes(const NestedLeaf& leaf, const uint8_t* definitions, int64_t n, uint8_t* to) {
  // Bytes that are written may be any object's to the compiler; these are none's.
  const int of_values = leaf.definition;
  const int of_places = leaf.place_definition;
  for (int64_t i = 0; i < n; ++i) {
    const int definition = definitions[i];
    *to = definition == of_values;
    to += definition >= of_places;
  }
}

}  // namespace

/// Values on their way into a column, one after the other without the nulls.
struct LeafReader::Output {
  GrowingBuffer values;
  int64_t num_values = 0;
  std::vector<memory::BufferPtr> heap = {};
};

LeafReader::LeafReader(const NestedLeaf& leaf, ChunkSource source, const std::shared_ptr<memory::Budget>& budget)
    : leaf_(leaf),
      source_(std::move(source)),
      budget_(budget),
      pages_(source_.bytes->data() + source_.offset, source_.num_bytes, source_.codec, source_.always_compressed,
             budget),
      values_(leaf.column, budget),
      levels_(leaf.repetition, leaf.definition, budget),
      pages_begin_rows_(leaf.repetition == 0 || !source_.gaps.empty()),
      entries_left_(source_.num_entries) {}

LeafRows LeafReader::read(int64_t n) {
  Output out{GrowingBuffer(budget_)};
  try {
    pass_skipped();
    levels_.forget();
    advance(n, &out);
    return {levels_.repetitions(), levels_.definitions(), levels_.num_taken(), leaf_.is_read ? finish(out) : nullptr};
  } catch (Error& error) {
    error.with_context("page " + std::to_string(pages_.page_number()) + " of " + leaf_.column.name);
    throw;
  }
}

void LeafReader::pass_skipped() {
  if (pending_skip_ > 0) advance(std::exchange(pending_skip_, 0), nullptr);
}

/// Takes the entries of `rows` rows, and their values where `out` is given; without it they are passed over.
void LeafReader::advance(int64_t rows, Output* out) {
  for (;;) {
    move_values(take_from_page(rows, out != nullptr), out);
    if (!levels_.page_is_done()) return;
    if (!next_page(rows, out == nullptr)) break;
  }
  if (rows > 0) fail("the column has fewer rows than its row group");
}

/// Takes entries of the page and returns how many of them have a value.
int64_t LeafReader::take_from_page(int64_t& rows, bool is_kept) {
  const int64_t rows_before = rows;
  int64_t num_values = 0;
  while (const int64_t n = levels_.take(rows)) {
    num_values += count_equal(levels_.definitions() + levels_.num_taken() - n, n, leaf_.definition);
    if (!is_kept) levels_.forget();
  }
  rows_begun_ += rows_before - rows;
  return num_values;
}

void LeafReader::move_values(int64_t num_values, Output* out) {
  if (!leaf_.is_read || num_values == 0) return;
  if (!out) return values_.skip(num_values);
  const int64_t width = types::width_of(leaf_.column.physical());
  // A value has an entry, and so may a null that takes a value's room later.
  out->values.reserve(levels_.num_taken() * width, out->num_values * width);
  values_.read(num_values, {out->values.data() + out->num_values * width, out->heap});
  out->num_values += num_values;
}

/// Goes to the next page with entries that may be of the rows. Returns false where there is none.
/// @param is_skipping pages that only have rows that are passed over are left out, and lower `rows`
bool LeafReader::next_page(int64_t& rows, bool is_skipping) {
  for (;;) {
    if (rows == 0 && pages_begin_rows_) return false;
    if (pass_gap(rows, is_skipping)) continue;
    if (!has_pages()) return false;
    const PageHeader& header = pages_.next();
    if (header.type == PageHeader::kDictionary && leaf_.is_read) values_.read_dictionary(header, pages_);
    if (!header.is_data()) continue;
    entries_left_ -= header.num_values;
    const int64_t num_rows = rows_of(header);
    if (is_skipping && num_rows >= 0 && num_rows <= rows) {
      rows -= num_rows;
      rows_begun_ += num_rows;
    } else if (header.num_values > 0) {
      start_data_page(header);
      return true;
    }
  }
}

/// Passes over rows whose pages are not there, if they come next.
bool LeafReader::pass_gap(int64_t& rows, bool is_skipping) {
  if (next_gap_ == source_.gaps.size() || source_.gaps[next_gap_].first > rows_begun_) return false;
  const RowRange gap = source_.gaps[next_gap_++];
  const int64_t n = gap.end - gap.first;
  if (gap.first != rows_begun_ || !is_skipping || n > rows) fail("its rows are not those that the file's index says");
  rows -= n;
  rows_begun_ = gap.end;
  return true;
}

/// Says whether pages are left; where some are left out, that is known by the rows.
bool LeafReader::has_pages() const { return !source_.gaps.empty() || (entries_left_ > 0 && !pages_.at_end()); }

/// Returns how many rows a page has; -1 where its levels alone tell.
int64_t LeafReader::rows_of(const PageHeader& header) const {
  if (leaf_.repetition == 0) return header.num_values;
  if (header.type != PageHeader::kDataV2) return -1;
  if (header.num_rows > header.num_values || (header.num_rows == 0) != (header.num_values == 0)) {
    fail("it has more rows than values");
  }
  return header.num_rows;
}

void LeafReader::start_data_page(const PageHeader& header) {
  PageBody page = pages_.body();
  const bool begins_row = pages_begin_rows_ || header.type == PageHeader::kDataV2 || rows_begun_ == 0;
  levels_.start_page(header, page, begins_row);
  if (leaf_.is_read) values_.start_page(header, page.data, page.num_bytes);
}

/// Makes a column of the values, each in its place.
ColumnPtr LeafReader::finish(Output& out) {
  const uint8_t* definitions = levels_.definitions();
  const FileColumn& column = leaf_.column;
  const int width = types::width_of(column.physical());
  const int64_t num_places = count_at_least(definitions, levels_.num_taken(), leaf_.place_definition);
  out.values.reserve(num_places * width, out.num_values * width);
  std::shared_ptr<Buffer> validity;
  if (out.num_values < num_places) {
    const auto valid = Buffer::allocate(num_places + 1, budget_);
    write_valid_bytes(leaf_, definitions, levels_.num_taken(), valid->mutable_data());
    validity = Buffer::allocate_zeroed(bits::bytes_for(num_places), budget_);
    bits::pack(valid->data(), num_places, validity->mutable_data());
    spread_width(width, out.values.data(), validity->data(), 0, num_places, out.num_values);
  }
  return Column::flat(
      {column.type, column.physical(), num_places, 0, out.values.take(), std::move(validity), std::move(out.heap), {}});
}

}  // namespace accelerant::io
