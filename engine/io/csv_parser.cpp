#include "io/csv_parser.h"

#include "base/error.h"
#include "io/csv_values.h"
#include "types/utf8.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace accelerant::io {

using columns::Batch;
using types::StringRef;

namespace {

/// How many columns univocity's parser takes.
constexpr int32_t kMostCsvColumns = 20480;
/// A line that is shorter has no more of them.
constexpr int32_t kManyBytes = kMostCsvColumns;

std::string_view view_of(StringRef text) { return {text.data, static_cast<size_t>(text.length)}; }

bool is_blank(StringRef line) {
  for (int32_t i = 0; i < line.length; ++i) {
    if (static_cast<unsigned char>(line.data[i]) > ' ') return false;
  }
  return true;
}

bool has_byte(StringRef line, char byte) {
  return line.length > 0 && std::memchr(line.data, byte, static_cast<size_t>(line.length));
}

/// Leaves to Spark a header that it fails of.
void check_header(StringRef line, char delimiter) {
  if (line.length < kManyBytes || std::ranges::count(view_of(line), delimiter) < kMostCsvColumns) return;
  throw_unsupported("a header of CSV of more than " + std::to_string(kMostCsvColumns) + " columns");
}

/// Says whether Java decodes a text to the same bytes.
bool is_sound_utf8(StringRef text) {
  for (int32_t at = 0; at < text.length;) {
    const int32_t begin = at;
    const int32_t character = types::decode_character(text, at);
    const bool is_replaced = character == types::kReplacementCharacter;
    if (is_replaced && view_of({text.data + begin, at - begin}) != "\xef\xbf\xbd") return false;
  }
  return true;
}

/// Returns the positions of the scan's columns that are in the files, by where they are there.
std::vector<size_t> columns_in_files(const ScanSpec& spec) {
  std::vector<size_t> found;
  for (size_t i = 0; i < spec.columns.size(); ++i) {
    if (spec.columns[i].required_index >= 0) found.push_back(i);
  }
  std::ranges::stable_sort(found, {}, [&](size_t i) { return spec.columns[i].data_index; });
  return found;
}

std::vector<int> places_in_lines(const ScanSpec& spec) {
  std::vector<int> places;
  for (const size_t column : columns_in_files(spec)) places.push_back(spec.columns[column].data_index);
  return places;
}

}  // namespace

CsvParser::CsvParser(const ScanSpec& spec, const execution::OperatorContext& ctx)
    : spec_(spec),
      options_(dynamic_cast<const CsvOptions&>(*spec.options)),
      ctx_(ctx),
      tokens_(options_, places_in_lines(spec)),
      wanted_(columns_in_files(spec)),
      spark_(spec, ctx) {
  is_all_spark_ = std::ranges::any_of(
      wanted_, [&](size_t column) { return !has_csv_values(spec_.columns[column].type, options_); });
}

/// Returns the lines that are rows: all but blank ones and the header, which is the first that is not blank.
CsvParser::Rows CsvParser::rows_of(const LineBlock& block, bool has_header) const {
  Rows rows;
  rows.lines.reserve(block.lines.size());
  for (const StringRef& line : block.lines) {
    if (is_blank(line)) continue;
    if (std::exchange(has_header, false)) {
      check_header(line, options_.delimiter);
    } else {
      rows.lines.push_back(line);
    }
  }
  rows.is_odd.assign(rows.lines.size(), is_all_spark_);
  rows.is_unsure = rows.is_odd;
  return rows;
}

/// Splits rows into values: those of a column one after the other.
memory::BufferPtr CsvParser::split(Rows& rows) const {
  const size_t num_rows = rows.lines.size();
  const auto num_values = static_cast<int64_t>(num_rows * wanted_.size());
  auto buffer = memory::Buffer::allocate(num_values * static_cast<int64_t>(sizeof(StringRef)), ctx_.budget);
  auto* values = buffer->mutable_as<StringRef>();
  std::vector<StringRef> of_line(wanted_.size());
  for (size_t row = 0; row < num_rows; ++row) {
    const StringRef line = rows.lines[row];
    const bool may_have_ends = options_.line_separator.has_value();
    // univocity's parser takes it for the mark of a file, where its first line begins with it.
    const bool is_marked = row == 0 && !has_passed_ && view_of(line).starts_with(kByteOrderMark);
    const bool is_odd = is_marked || line.length >= kManyBytes || has_byte(line, '\0') ||
                        (may_have_ends && (has_byte(line, '\n') || has_byte(line, '\r'))) ||
                        !(types::is_ascii(line) || is_sound_utf8(line)) || !tokens_.split(line, of_line.data());
    if (is_odd) std::ranges::fill(of_line, StringRef{nullptr, 0});
    rows.is_unsure[row] = is_odd;
    for (size_t i = 0; i < of_line.size(); ++i) values[i * num_rows + row] = of_line[i];
  }
  return buffer;
}

/// Has Spark's parser be as new where a part begins: what it has kept of lines before is not known.
void CsvParser::start_part(const LineBlock& block) {
  if (std::exchange(is_used_, false)) spark_.start_anew();
  carries_over_ = false;
  has_passed_ = !block.starts_split || (block.starts_file && options_.has_header);
}

/// Leaves to Spark, of a part with a line that is not sure, all lines behind it: univocity's parser reads the next
/// quote by what it has kept of the last one.
void CsvParser::add_followers(Rows& rows) {
  for (size_t row = 0; row < rows.lines.size(); ++row) {
    carries_over_ |= rows.is_unsure[row] != 0;
    rows.is_odd[row] |= static_cast<uint8_t>(carries_over_);
  }
}

/// Adds the columns of no rows.
void CsvParser::add_no_values(Batch& batch) const {
  for (const size_t column : wanted_) {
    batch.columns[column] = columns::Column::nulls(spec_.columns[column].type, 0, ctx_.budget);
  }
}

/// Reads what is plain.
Batch CsvParser::read(Rows& rows, const LineBlock& block) const {
  Batch batch;
  batch.num_rows = static_cast<int64_t>(rows.lines.size());
  batch.columns.resize(spec_.columns.size());
  if (is_all_spark_ && rows.lines.empty()) add_no_values(batch);
  if (wanted_.empty() || is_all_spark_) return batch;
  const memory::BufferPtr values = split(rows);
  const std::span all(values->as<StringRef>(), rows.lines.size() * wanted_.size());
  for (size_t i = 0; i < wanted_.size(); ++i) {
    const CsvValues of_column{all.subspan(i * rows.lines.size(), rows.lines.size()), block.bytes, spec_.zone.get()};
    batch.columns[wanted_[i]] = read_csv_values(spec_.columns[wanted_[i]].type, of_column, rows.is_odd, ctx_.budget);
  }
  return batch;
}

Batch CsvParser::parse_by_spark(Batch batch, const Rows& rows) {
  std::vector<StringRef> lines;
  std::vector<int32_t> places;
  for (size_t row = 0; row < rows.lines.size(); ++row) {
    if (!rows.is_odd[row]) continue;
    const StringRef line = rows.lines[row];
    // Spark's expression takes it for the end of a line, which its reader of files does not.
    if (view_of(line).find("\xef\xbf\xbf") != std::string_view::npos) {
      throw_unsupported("a line of CSV with the character U+FFFF");
    }
    lines.push_back(line);
    places.push_back(static_cast<int32_t>(row));
  }
  // Univocity's parser reads escapes of its first line in a way of their own.
  constexpr StringRef kPlainLine = {"0", 1};
  const bool is_first = !has_passed_ && !places.empty() && places.front() == 0;
  if (!places.empty() && !std::exchange(is_used_, true) && !is_first) spark_.compute({&kPlainLine, 1});
  has_passed_ |= !rows.lines.empty();
  return spark_.put(std::move(batch), lines, places);
}

Batch CsvParser::parse(const LineBlock& block) {
  const bool has_header = block.starts_part ? block.starts_file && options_.has_header : has_header_ahead_;
  Rows rows = rows_of(block, has_header);
  if (block.starts_part) start_part(block);
  Batch batch = read(rows, block);
  if (!wanted_.empty()) add_followers(rows);
  if (!wanted_.empty()) batch = parse_by_spark(std::move(batch), rows);
  has_header_ahead_ = has_header && std::ranges::all_of(block.lines, is_blank);
  if (has_header_ahead_ && block.is_cut_off) throw_unsupported("a CSV file whose first 4 MiB are blank lines");
  return batch;
}

}  // namespace accelerant::io
