#include "io/leaf_reader.h"

#include "base/bits.h"
#include "base/error.h"
#include "io/fail_damaged.h"
#include "io/value_placement.h"

#include <string>
#include <utility>

namespace accelerant::io {

using columns::Column;
using columns::ColumnPtr;
using memory::Buffer;

namespace {

/// Writes one byte a place, 1 for a value, to `to`, which has room for one more.
void write_valid_bytes_of_places(const NestedLeaf& leaf, const uint8_t* definitions, int64_t n, uint8_t* to) {
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

/// Values on their way into a column, one after the other without the nulls: codes of the dictionary, or themselves.
struct LeafReader::Output {
  GrowingBuffer values;
  bool is_picking;  ///< only the values of picked rows come here
  bool is_coded = false;
  int64_t num_values = 0;
  std::vector<memory::BufferPtr> heap = {};

  int width(const FileColumn& column) const {
    return is_coded ? static_cast<int>(sizeof(int32_t)) : types::width_of(column.physical());
  }
};

bool LeafReader::Picked::begin_row() {
  is_wanted = !rows.empty() && rows[0] == next_row;
  if (is_wanted) rows = rows.subspan(1);
  ++next_row;
  return is_wanted;
}

LeafReader::LeafReader(const NestedLeaf& leaf, ChunkSource source, const std::shared_ptr<memory::Budget>& budget)
    : leaf_(leaf),
      source_(std::move(source)),
      budget_(budget),
      pages_(source_.bytes->data() + source_.offset, source_.num_bytes, source_.codec, source_.always_compressed,
             budget),
      values_(leaf.column, budget),
      levels_(leaf.repetition, leaf.definition, budget),
      picked_{.rows = {}, .repetitions = GrowingBuffer(budget), .definitions = GrowingBuffer(budget)},
      pages_begin_rows_(leaf.repetition == 0 || !source_.gaps.empty()),
      entries_left_(source_.num_entries) {}

LeafRows LeafReader::read(int64_t n) { return read_rows(n, false); }

LeafRows LeafReader::read_at(std::span<const int32_t> rows, int64_t n) {
  const int32_t first = rows.front();
  skip(first);
  picked_.rows = rows;
  picked_.next_row = first;
  picked_.num_entries = 0;
  return read_rows(n - first, true);
}

LeafRows LeafReader::read_rows(int64_t n, bool is_picking) {
  Output out{GrowingBuffer(budget_), is_picking};
  try {
    pass_skipped();
    levels_.forget();
    advance(n, &out);
    return finish(out);
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
    move_values(take_from_page(rows, out), out);
    if (!levels_.page_is_done()) return;
    if (!next_page(rows, out)) break;
  }
  if (rows > 0) fail_damaged("the column has fewer rows than its row group");
}

/// Takes entries of the page and returns how many of them have a value.
int64_t LeafReader::take_from_page(int64_t& rows, const Output* out) {
  const int64_t rows_before = rows;
  int64_t num_values = 0;
  while (const int64_t n = levels_.take(rows)) {
    const int64_t num_values_before = num_values;
    num_values += count_equal(levels_.definitions() + levels_.num_taken() - n, n, leaf_.definition);
    if (out && out->is_picking) pick(n, num_values_before);
    if (!out || out->is_picking) levels_.forget();
  }
  rows_begun_ += rows_before - rows;
  return num_values;
}

/// Copies the levels of wanted rows from the last `n` entries that were taken, and notes where their values are.
void LeafReader::pick(int64_t n, int64_t num_values_before) {
  if (picked_.num_entries + n > kMostEntries) fail_damaged("some rows hold more than 2^31 values");
  picked_.repetitions.reserve(picked_.num_entries + n, picked_.num_entries);
  picked_.definitions.reserve(picked_.num_entries + n, picked_.num_entries);
  const uint8_t* repetitions = levels_.repetitions() + levels_.num_taken() - n;
  const uint8_t* definitions = levels_.definitions() + levels_.num_taken() - n;
  uint8_t* const to_repetitions = picked_.repetitions.data();
  uint8_t* const to_definitions = picked_.definitions.data();
  int64_t to = picked_.num_entries;
  auto place = static_cast<int32_t>(num_values_before);
  bool is_wanted = picked_.is_wanted;
  for (int64_t i = 0; i < n; ++i) {
    if (repetitions[i] == 0) is_wanted = picked_.begin_row();
    const bool is_value = definitions[i] == leaf_.definition;
    to_repetitions[to] = repetitions[i];
    to_definitions[to] = definitions[i];
    to += is_wanted;
    if (is_wanted && is_value) picked_.positions.push_back(place);
    place += is_value;
  }
  picked_.num_entries = to;
}

/// Decodes the next `num_values` values, or those of the rows that are picked; without `out` they are passed over.
void LeafReader::move_values(int64_t num_values, Output* out) {
  const std::vector<int32_t> positions = std::exchange(picked_.positions, {});
  if (!leaf_.is_read || num_values == 0) return;
  if (!out || (out->is_picking && positions.empty())) return values_.skip(num_values);
  choose_form(*out);
  const int64_t width = out->width(leaf_.column);
  // A value has an entry, and so may a null that takes a value's room later.
  const int64_t num_entries = out->is_picking ? picked_.num_entries : levels_.num_taken();
  out->values.reserve(num_entries * width, out->num_values * width);
  uint8_t* const to = out->values.data() + out->num_values * width;
  auto* const to_codes = reinterpret_cast<uint32_t*>(to);
  if (out->is_picking) {
    out->is_coded ? values_.read_codes_at(positions, num_values, to_codes)
                  : values_.read_at(positions, num_values, {to, out->heap});
  } else {
    out->is_coded ? values_.read_codes(num_values, to_codes) : values_.read(num_values, {to, out->heap});
  }
  out->num_values += out->is_picking ? static_cast<int64_t>(positions.size()) : num_values;
}

/// Says whether values of the page may be held by their codes: strings, and outside lists what flat columns hold so.
bool LeafReader::keeps_codes() const {
  if (!values_.is_coded()) return false;
  const bool is_small = leaf_.repetition == 0 && values_.dictionary()->length() <= kMaxNumericDictionary;
  return is_small || leaf_.column.physical() == types::PhysicalType::String;
}

/// Decides with the first values how they are held. Codes become values where a page has none.
void LeafReader::choose_form(Output& out) const {
  const FileColumn& column = leaf_.column;
  const bool can_stay = keeps_codes();
  if (out.num_values == 0) out.is_coded = can_stay;
  if (!out.is_coded || can_stay) return;
  GrowingBuffer codes = std::move(out.values);
  out.is_coded = false;
  out.values = GrowingBuffer(budget_);
  out.values.reserve(out.num_values * out.width(column), 0);
  values_.look_up(reinterpret_cast<const uint32_t*>(codes.data()), out.num_values, out.values.data());
  out.heap = values_.dictionary()->heap();
}

/// Goes to the next page with entries that may be of wanted rows, and lowers `rows` by those of pages that are left
/// out. Returns false where there is no such page.
bool LeafReader::next_page(int64_t& rows, const Output* out) {
  for (;;) {
    if (rows == 0 && pages_begin_rows_) return false;
    if (pass_gap(rows, out)) continue;
    if (!has_pages()) return false;
    const PageHeader& header = pages_.next();
    if (header.type == PageHeader::kDictionary && leaf_.is_read) values_.read_dictionary(header, pages_);
    if (!header.is_data()) continue;
    entries_left_ -= header.num_values;
    if (header.num_values == 0) continue;
    const int64_t num_rows = unwanted_rows(header, rows_not_wanted(rows, out), out);
    if (num_rows < 0) {
      start_data_page(header);
      return true;
    }
    pass_rows(num_rows, rows, out);
  }
}

/// Passes over rows whose pages are not there, if they come next.
bool LeafReader::pass_gap(int64_t& rows, const Output* out) {
  if (next_gap_ == source_.gaps.size() || source_.gaps[next_gap_].first > rows_begun_) return false;
  const RowRange gap = source_.gaps[next_gap_++];
  if (gap.first != rows_begun_ || gap.end - gap.first > rows_not_wanted(rows, out)) {
    fail_damaged("its rows are not those that the file's index says");
  }
  pass_rows(gap.end - gap.first, rows, out);
  return true;
}

/// Returns how many of the next `rows` rows come before a wanted one.
int64_t LeafReader::rows_not_wanted(int64_t rows, const Output* out) const {
  if (!out) return rows;
  if (!out->is_picking) return 0;
  return picked_.rows.empty() ? rows : picked_.rows[0] - picked_.next_row;
}

/// Notes that `n` rows were left out, of which `rows` are fewer then.
void LeafReader::pass_rows(int64_t n, int64_t& rows, const Output* out) {
  rows -= n;
  rows_begun_ += n;
  if (!out || n == 0) return;
  picked_.next_row += n;
  picked_.is_wanted = false;
}

/// Says whether pages are left; where some are left out, that is known by the rows.
bool LeafReader::has_pages() const { return !source_.gaps.empty() || (entries_left_ > 0 && !pages_.at_end()); }

/// Returns how many rows begin in a page that can be left out, as nothing in it is of a wanted row: the next `most`
/// rows are none. Returns -1 where it can't, or what it decompresses to would have to tell.
int64_t LeafReader::unwanted_rows(const PageHeader& header, int64_t most, const Output* out) const {
  const bool repeats = leaf_.repetition > 0;
  if (most == 0 || (repeats && header.type != PageHeader::kDataV2)) return -1;
  const PageRows found =
      repeats ? levels_.rows_of(header, pages_.stored_body(), most) : PageRows{header.num_values, true};
  const bool goes_on = out && picked_.is_wanted && !found.begins_row;
  return goes_on || found.num_rows > most ? -1 : found.num_rows;
}

void LeafReader::start_data_page(const PageHeader& header) {
  PageBody page = pages_.body();
  levels_.start_page(header, page, pages_begin_rows_ || rows_begun_ == 0);
  if (leaf_.is_read) values_.start_page(header, page.data, page.num_bytes);
}

LeafRows LeafReader::finish(Output& out) {
  LeafRows rows{levels_.repetitions(), levels_.definitions(), levels_.num_taken(), nullptr};
  if (out.is_picking) {
    rows = {picked_.repetitions.data(), picked_.definitions.data(), picked_.num_entries, nullptr};
  }
  if (leaf_.is_read) rows.values = place(out, rows);
  return rows;
}

/// Makes a column of the values, each in its place.
ColumnPtr LeafReader::place(Output& out, const LeafRows& rows) {
  const FileColumn& column = leaf_.column;
  const int width = out.width(column);
  const int64_t num_places = count_at_least(rows.definitions, rows.num_entries, leaf_.place_definition);
  out.values.reserve(num_places * width, out.num_values * width);
  std::shared_ptr<Buffer> validity;
  if (out.num_values < num_places) {
    const auto valid = Buffer::allocate(num_places + 1, budget_);
    write_valid_bytes_of_places(leaf_, rows.definitions, rows.num_entries, valid->mutable_data());
    validity = Buffer::allocate_zeroed(bits::bytes_for(num_places), budget_);
    bits::pack(valid->data(), num_places, validity->mutable_data());
    spread_width(width, out.values.data(), validity->data(), 0, num_places, out.num_values);
  }
  if (out.is_coded) {
    return Column::dictionary(values_.dictionary(), out.values.take(), num_places, std::move(validity));
  }
  return Column::flat(
      {column.type, column.physical(), num_places, 0, out.values.take(), std::move(validity), std::move(out.heap), {}});
}

}  // namespace accelerant::io
