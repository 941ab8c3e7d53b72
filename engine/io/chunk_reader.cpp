#include "io/chunk_reader.h"

#include "base/error.h"
#include "io/fail_damaged.h"
#include "io/value_placement.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace accelerant::io {

using columns::Column;
using columns::ColumnPtr;
using memory::Buffer;
using types::PhysicalType;

/// A batch's column under construction: codes of the dictionary, or values.
struct ChunkReader::Output {
  int64_t num_rows;
  int64_t done = 0;
  bool is_coded = false;
  std::shared_ptr<Buffer> values;
  std::shared_ptr<Buffer> validity;  ///< made with the first null
  std::vector<memory::BufferPtr> heap;

  int width(const FileColumn& column) const {
    return is_coded ? static_cast<int>(sizeof(int32_t)) : types::width_of(column.physical());
  }
};

ChunkReader::ChunkReader(ChunkSource source, std::shared_ptr<memory::Budget> budget)
    : source_(std::move(source)),
      budget_(std::move(budget)),
      pages_(source_.bytes->data() + source_.offset, source_.num_bytes, source_.codec, source_.always_compressed,
             budget_),
      values_(*source_.column, budget_) {}

/// Goes to the next page that has rows to read; of whole pages that are to be skipped only the headers are read.
void ChunkReader::next_page() {
  page_left_ = 0;
  while (page_left_ == 0) {
    if (pass_gap()) continue;
    const PageHeader& header = pages_.next();
    if (header.is_data()) next_row_ += header.num_values;
    if (header.type == PageHeader::kDictionary) {
      read_dictionary(header);
    } else if (header.is_data() && header.num_values <= pending_skip_) {
      pending_skip_ -= header.num_values;
    } else if (header.is_data()) {
      start_data_page(header);
    }
  }
}

/// Passes over rows whose pages are not there, if they come next.
bool ChunkReader::pass_gap() {
  if (next_gap_ == source_.gaps.size() || source_.gaps[next_gap_].first > next_row_) return false;
  const RowRange gap = source_.gaps[next_gap_++];
  const int64_t n = gap.end - gap.first;
  if (gap.first != next_row_ || n > pending_skip_) fail_damaged("its rows are not those that the file's index says");
  pending_skip_ -= n;
  next_row_ = gap.end;
  return true;
}

void ChunkReader::read_dictionary(const PageHeader& header) {
  values_.read_dictionary(header, pages_);
  const int64_t n = values_.dictionary()->length();
  keeps_codes_ = n > 0 && (source_.column->physical() == PhysicalType::String || n <= kMaxNumericDictionary);
}

void ChunkReader::start_data_page(const PageHeader& header) {
  PageBody page = pages_.body();
  start_levels(header, page);
  values_.start_page(header, page.data, page.num_bytes);
  page_left_ = header.num_values;
}

/// Finds the definition levels and leaves the values in `page`.
void ChunkReader::start_levels(const PageHeader& header, PageBody& page) {
  if (header.type == PageHeader::kDataV2) return levels_.reset(page.definition_levels, page.definition_bytes);
  if (!source_.column->is_optional) return;
  if (header.level_encoding == parquet::Encoding::BIT_PACKED) throw_unsupported("bit-packed definition levels");
  if (header.level_encoding != parquet::Encoding::RLE)
    fail_damaged("definition levels that are not run-length encoded");
  uint32_t level_bytes;
  const auto length_bytes = static_cast<int64_t>(sizeof level_bytes);
  if (page.num_bytes < length_bytes) fail_damaged("corrupt definition levels");
  std::memcpy(&level_bytes, page.data, sizeof level_bytes);
  if (level_bytes > page.num_bytes - length_bytes) fail_damaged("corrupt definition levels");
  levels_.reset(page.data + length_bytes, level_bytes);
  page.data += length_bytes + level_bytes;
  page.num_bytes -= length_bytes + level_bytes;
}

void ChunkReader::apply_skip() {
  while (pending_skip_ > 0) {
    if (page_left_ == 0) {
      next_page();
      continue;
    }
    const int64_t n = std::min(pending_skip_, page_left_);
    pending_skip_ -= n;
    page_left_ -= n;
    if (page_left_ == 0) continue;
    values_.skip(source_.column->is_optional ? levels_.skip(n) : n);
  }
}

template <class Read>
ColumnPtr ChunkReader::name_page(Read read_some) {
  try {
    return read_some();
  } catch (Error& error) {
    error.with_context("page " + std::to_string(pages_.page_number()));
    throw;
  }
}

ColumnPtr ChunkReader::dictionary() {
  return name_page([&] {
    const PageHeader& header = pages_.next();
    if (header.type == PageHeader::kDictionary) read_dictionary(header);
    return values_.dictionary();
  });
}

ColumnPtr ChunkReader::read(int64_t n) {
  return name_page([&] { return read_rows(n); });
}

ColumnPtr ChunkReader::read_at(std::span<const int32_t> rows, int64_t n) {
  return name_page([&] { return read_rows_at(rows, n); });
}

ColumnPtr ChunkReader::read_rows(int64_t n) {
  apply_skip();
  Output out{n, 0, false, nullptr, nullptr, {}};
  while (out.done < n) {
    if (page_left_ == 0) next_page();
    start_output(out);
    const int64_t count = std::min(n - out.done, page_left_);
    read_segment(count, out);
    out.done += count;
    page_left_ -= count;
  }
  return finish(out);
}

/// Decides with the first page how values are held.
void ChunkReader::start_output(Output& out) {
  if (out.values) return;
  out.is_coded = values_.is_coded() && keeps_codes_;
  out.values = Buffer::allocate(out.num_rows * out.width(*source_.column), budget_);
}

/// Reads rows of the current page; nulls get their places after the values were read.
void ChunkReader::read_segment(int64_t n, Output& out) {
  if (out.is_coded && !values_.is_coded()) leave_codes(out);
  const FileColumn& column = *source_.column;
  const int64_t num_values = column.is_optional ? read_levels(n, out) : n;
  uint8_t* to = out.values->mutable_data() + out.done * out.width(column);
  if (out.is_coded) {
    values_.read_codes(num_values, reinterpret_cast<uint32_t*>(to));
  } else {
    values_.read(num_values, {to, out.heap});
  }
  if (num_values < n) spread_width(out.width(column), to, out.validity->data(), out.done, n, num_values);
}

int64_t ChunkReader::read_levels(int64_t n, Output& out) {
  if (!out.validity) {
    if (levels_.skip_if_all_valid(n)) return n;
    out.validity = Buffer::allocate_zeroed(bits::bytes_for(out.num_rows), budget_);
    bits::fill(out.validity->mutable_data(), out.done, true);
  }
  return levels_.read(n, out.validity->mutable_data(), out.done);
}

ColumnPtr ChunkReader::read_rows_at(std::span<const int32_t> rows, int64_t n) {
  apply_skip();
  Output out{static_cast<int64_t>(rows.size()), 0, false, nullptr, nullptr, {}};
  int64_t passed = 0;
  while (!rows.empty()) {
    if (const int64_t gap = rows[0] - passed; gap >= page_left_) {
      pending_skip_ = gap;
      passed = rows[0];
      apply_skip();
      if (page_left_ == 0) next_page();
    }
    start_output(out);
    const int64_t count = std::min(n - passed, page_left_);
    const auto last = std::lower_bound(rows.begin(), rows.end(), passed + count);
    const auto here = rows.first(static_cast<size_t>(last - rows.begin()));
    positions_.resize(here.size());
    std::transform(here.begin(), here.end(), positions_.begin(),
                   [&](int32_t row) { return row - static_cast<int32_t>(passed); });
    read_segment_at(count, out);
    out.done += static_cast<int64_t>(here.size());
    rows = rows.subspan(here.size());
    passed += count;
    page_left_ -= count;
  }
  pending_skip_ = n - passed;
  return finish(out);
}

/// Reads those of the next `n` rows of the current page that are at `positions_`.
void ChunkReader::read_segment_at(int64_t n, Output& out) {
  if (out.is_coded && !values_.is_coded()) leave_codes(out);
  const auto num_rows = static_cast<int64_t>(positions_.size());
  const int64_t num_values = source_.column->is_optional ? find_values(n, out) : n;
  const auto num_found = static_cast<int64_t>(positions_.size());
  const int width = out.width(*source_.column);
  uint8_t* to = out.values->mutable_data() + out.done * width;
  if (out.is_coded) {
    values_.read_codes_at(positions_, num_values, reinterpret_cast<uint32_t*>(to));
  } else {
    values_.read_at(positions_, num_values, {to, out.heap});
  }
  if (num_found < num_rows) spread_width(width, to, out.validity->data(), out.done, num_rows, num_found);
}

/// Turns `positions_` from those of rows into those of values, without the nulls, and notes which rows are null.
/// Returns the number of values among the next `n` rows.
int64_t ChunkReader::find_values(int64_t n, Output& out) {
  if (levels_.skip_if_all_valid(n)) {
    if (out.validity) set_bits(out.validity->mutable_data(), out.done, static_cast<int64_t>(positions_.size()));
    return n;
  }
  const auto levels = Buffer::allocate_zeroed(bits::bytes_for(n), budget_);
  const int64_t num_values = levels_.read(n, levels->mutable_data(), 0);
  if (!out.validity) {
    out.validity = Buffer::allocate_zeroed(bits::bytes_for(out.num_rows), budget_);
    bits::fill(out.validity->mutable_data(), out.done, true);
  }
  int64_t row = 0;
  int64_t values_before = 0;
  int64_t out_row = out.done;
  size_t num_found = 0;
  for (const int32_t position : positions_) {
    values_before += bits::count(levels->data(), row, position - row);
    row = position;
    if (bits::get(levels->data(), row)) {
      positions_[num_found++] = static_cast<int32_t>(values_before);
      bits::set(out.validity->mutable_data(), out_row);
    }
    ++out_row;
  }
  positions_.resize(num_found);
  return num_values;
}

/// A page of the batch has no codes: those read so far become values.
void ChunkReader::leave_codes(Output& out) {
  const auto codes = std::exchange(out.values, nullptr);
  out.is_coded = false;
  out.values = Buffer::allocate(out.num_rows * out.width(*source_.column), budget_);
  values_.look_up(codes->as<uint32_t>(), out.done, out.values->mutable_data());
  out.heap = values_.dictionary()->heap();
}

ColumnPtr ChunkReader::finish(Output& out) const {
  if (out.is_coded)
    return Column::dictionary(values_.dictionary(), std::move(out.values), out.num_rows, std::move(out.validity));
  const FileColumn& column = *source_.column;
  return Column::flat({column.type,
                       column.physical(),
                       out.num_rows,
                       0,
                       std::move(out.values),
                       std::move(out.validity),
                       std::move(out.heap),
                       {}});
}

}  // namespace accelerant::io
